import { BPS_PER_PERCENT } from '#core/money/percent.ts'
import { english } from '#core/english.ts'
import { Refusal } from '#core/refusal.ts'
import {
  hasGuard,
  watch,
  type GuardMarks,
  type GuardName,
  type Guards,
  type GuardedBot,
} from './guard.ts'

/** Guards as typed, in whole percent. */
export type TypedGuards = Partial<Record<GuardField, number | null | undefined>> & {
  stopLossFrom?: Guards['stopLossFrom'] | undefined
}

export const GUARD_LIMITS = {
  stopLossPercent: { least: 1, most: 90 },
  takeProfitPercent: { least: 1, most: 1_000 },
  dailyLossPercent: { least: 1, most: 50 },
  coolDownDays: { least: 1, most: 365 },
} as const

export type GuardField = keyof typeof GUARD_LIMITS
export const GUARD_FIELDS = Object.keys(GUARD_LIMITS) as readonly GuardField[]

export const GUARD_SENTENCES: Record<GuardField, string> = {
  stopLossPercent: english('Enter a whole percentage from 1 to 90'),
  takeProfitPercent: english('Enter a whole percentage from 1 to 1000'),
  dailyLossPercent: english('Enter a whole percentage from 1 to 50'),
  coolDownDays: english('Enter whole days from 1 to 365'),
}

const FALLEN = {
  field: 'stopLossPercent',
  sentence: english(
    'Your bot has already fallen this far: it would stop at once. Choose a larger percentage.',
  ),
} as const

const REACHED: Record<GuardName, { field: GuardField; sentence: string }> = {
  'stop-loss': FALLEN,
  'trailing-stop': FALLEN,
  'take-profit': {
    field: 'takeProfitPercent',
    sentence: english(
      'Your bot has already gained this much: it would stop at once. Choose a larger percentage.',
    ),
  },
  'daily-loss': {
    field: 'dailyLossPercent',
    sentence: english('Your bot has already lost this much today. Choose a larger percentage.'),
  },
}

/** Undefined if no guard is set. Refuses a number out of range under its field. */
export function checkGuards(typed: TypedGuards | null | undefined): Guards | undefined {
  if (!typed) return undefined
  const percent = (field: Exclude<GuardField, 'coolDownDays'>) => {
    const value = checked(field, typed[field])
    return value === null ? null : value * BPS_PER_PERCENT
  }
  const guards = {
    stopLossBps: percent('stopLossPercent'),
    stopLossFrom: typed.stopLossFrom ?? 'invested',
    takeProfitBps: percent('takeProfitPercent'),
    dailyLossBps: percent('dailyLossPercent'),
    coolDownDays: checked('coolDownDays', typed.coolDownDays),
  } as const
  return hasGuard(guards) ? guards : undefined
}

function checked(field: GuardField, value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null
  const { least, most } = GUARD_LIMITS[field]
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Refusal('invalid-input', { field, sentence: GUARD_SENTENCES[field] })
  return value
}

/** Refuses guards that the bot has already reached, because they would sell it within the hour. */
export function refuseReached(guards: Guards, marks: GuardMarks, bot: GuardedBot): void {
  const { trip } = watch(guards, marks, bot)
  if (!trip) return
  const { field, sentence } = REACHED[trip.guard]
  throw new Refusal('invalid-input', { field, sentence })
}

export function typedOf({
  stopLossBps,
  stopLossFrom,
  takeProfitBps,
  dailyLossBps,
  coolDownDays,
}: Guards) {
  const percent = (bps: number | null) => (bps === null ? null : bps / BPS_PER_PERCENT)
  return {
    stopLossPercent: percent(stopLossBps),
    stopLossFrom,
    takeProfitPercent: percent(takeProfitBps),
    dailyLossPercent: percent(dailyLossBps),
    coolDownDays,
  }
}
