import { DAY_MS } from '#core/market/candle.ts'
import { maximum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from '#core/money/percent.ts'

/**
 * In basis points; null for no guard. stop loss: a fall from the money put in, or from the bot's
 * best worth · take profit: a rise above the money put in · daily loss: a fall within one market
 * day (UTC) · cool-down: days until a stop loss or take profit ends; null until the owner resumes
 * the bot.
 */
export type Guards = {
  stopLossBps: number | null
  stopLossFrom: 'invested' | 'best'
  takeProfitBps: number | null
  dailyLossBps: number | null
  coolDownDays: number | null
}

/**
 * A trailing stop is a stop loss measured from the bot's best worth. If several guards are reached,
 * the first of this list is reported.
 */
export const GUARD_NAMES = ['stop-loss', 'trailing-stop', 'take-profit', 'daily-loss'] as const

export type GuardName = (typeof GUARD_NAMES)[number]

/** Worths from which guards measure, all after the closing fee. */
export type GuardMarks = {
  /** The money put in or, after a stop, the worth at the restart. */
  start: Units
  best: Units
  /** Worth at the start of the market day, and its number since 1970. */
  dayStart: Units
  day: number
}

/** `changeBps`: since the guard's mark, floored. `backMs`: when the bot restarts by itself. */
export type GuardTrip = { guard: GuardName; changeBps: number; backMs: number | null }

/**
 * A bot at the close of an hour. `worth`: proceeds of closing now. `before`: `worth` an hour
 * earlier.
 */
export type GuardedBot = { worth: Units; timeMs: number; before?: Units | undefined }

export const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS)

export function marksAt({ worth, timeMs }: Pick<GuardedBot, 'worth' | 'timeMs'>): GuardMarks {
  return { start: worth, best: worth, dayStart: worth, day: dayOf(timeMs) }
}

/**
 * Marks of guards that are set now. `before`: the replaced guards. Their marks of the best worth
 * and of the day are up to date only if one of them needed these marks.
 */
export function marksOfChange({
  before,
  now,
  invested,
}: {
  before: (Omit<Guards, 'takeProfitBps' | 'coolDownDays'> & GuardMarks) | undefined
  now: GuardMarks
  invested: Units
}): GuardMarks {
  if (!before) return { ...now, start: invested }
  const { start, best, dayStart, day, stopLossBps, stopLossFrom, dailyLossBps } = before
  return {
    start,
    best: stopLossBps !== null && stopLossFrom === 'best' ? best : now.best,
    ...(dailyLossBps !== null && day === now.day
      ? { dayStart, day }
      : { dayStart: now.dayStart, day: now.day }),
  }
}

export type GuardStep = { marks: GuardMarks; trip: GuardTrip | undefined }

export function watch(guards: Guards, marks: GuardMarks, bot: GuardedBot): GuardStep {
  const after = { ...marks, ...dayMark(marks, bot), best: maximum(marks.best, bot.worth) }
  return { marks: after, trip: tripOf(guards, after, bot) }
}

/** A day is measured from the worth at midnight or, if that is unknown, the last worth before. */
function dayMark(
  { dayStart, day }: GuardMarks,
  { worth, timeMs, before }: GuardedBot,
): Pick<GuardMarks, 'dayStart' | 'day'> {
  const today = dayOf(timeMs)
  if (today === day) return { dayStart, day }
  return { dayStart: timeMs % DAY_MS === 0 ? worth : (before ?? worth), day: today }
}

function tripOf(
  guards: Guards,
  marks: GuardMarks,
  { worth, timeMs }: GuardedBot,
): GuardTrip | undefined {
  const { stopLossBps, stopLossFrom, takeProfitBps, dailyLossBps, coolDownDays } = guards
  const backMs = coolDownDays === null ? null : timeMs + coolDownDays * DAY_MS
  const [stop, top] =
    stopLossFrom === 'best'
      ? (['trailing-stop', marks.best] as const)
      : (['stop-loss', marks.start] as const)
  if (stopLossBps !== null && hasReached({ worth, mark: top, bps: -stopLossBps }))
    return { guard: stop, changeBps: changeOf(worth, top), backMs }
  if (takeProfitBps !== null && hasReached({ worth, mark: marks.start, bps: takeProfitBps }))
    return { guard: 'take-profit', changeBps: changeOf(worth, marks.start), backMs }
  if (dailyLossBps !== null && hasReached({ worth, mark: marks.dayStart, bps: -dailyLossBps })) {
    return {
      guard: 'daily-loss',
      changeBps: changeOf(worth, marks.dayStart),
      backMs: (dayOf(timeMs) + 1) * DAY_MS,
    }
  }
  return undefined
}

/** Computed without rounding. */
function hasReached({ worth, mark, bps }: { worth: Units; mark: Units; bps: number }): boolean {
  const limit = mark * (ALL_BPS + BigInt(bps))
  return mark > 0n && (bps < 0 ? worth * ALL_BPS <= limit : worth * ALL_BPS >= limit)
}

function changeOf(worth: Units, mark: Units): number {
  return Number(multiplyDivideFloor({ a: worth - mark, b: ALL_BPS, divisor: mark }))
}

/**
 * Restarts a stopped bot, all in cash, with new marks. After a daily loss only the mark of the day
 * is new; if the sale itself reached the stop loss, the bot stays stopped.
 */
export function beginAgain(
  guards: Guards,
  marks: GuardMarks,
  { stoppedBy, ...bot }: GuardedBot & { stoppedBy: GuardName },
): GuardStep {
  const anew = marksAt(bot)
  if (stoppedBy !== 'daily-loss') return { marks: anew, trip: undefined }
  const kept = { ...anew, start: marks.start, best: marks.best }
  return {
    marks: kept,
    trip: tripOf({ ...guards, takeProfitBps: null, dailyLossBps: null }, kept, bot),
  }
}

export function hasGuard({ stopLossBps, takeProfitBps, dailyLossBps }: Guards): boolean {
  return stopLossBps !== null || takeProfitBps !== null || dailyLossBps !== null
}
