import type { Guards } from '#core/guards/guard.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Units } from '#core/money/amount.ts'
import { fallTo, worthAfterFee, type Fall } from '#core/strategy/equity-record.ts'
import {
  afterFee,
  closesByHour,
  finishWindow,
  openPath,
  pathUntil,
  sellAt,
  type FollowedWindow,
  type PathCloses,
  type WindowMoney,
  type WindowPath,
} from './window-path.ts'
import type { Window } from './universe.ts'
import { signalsOf } from './window-fall.ts'

const NONE: Guards = {
  stopLossBps: null,
  stopLossFrom: 'invested',
  takeProfitBps: null,
  dailyLossBps: null,
  coolDownDays: null,
}

/** Round figures, chosen before any result was computed, and all published (decision 057). */
export const STANDARD_GUARDS: readonly Guards[] = [
  ...[1_000, 2_000, 3_000].map((stopLossBps): Guards => ({ ...NONE, stopLossBps })),
  ...[1_000, 2_000, 3_000].map((stopLossBps): Guards => ({
    ...NONE,
    stopLossBps,
    stopLossFrom: 'best',
  })),
  ...[2_000, 5_000].map((takeProfitBps): Guards => ({ ...NONE, takeProfitBps })),
  { ...NONE, dailyLossBps: 500 },
]

/** `end`: the owner's cash after the window; `fall`: the largest within it, a fraction. */
export type GuardedOutcome = { end: Units; fall: number; isReached: boolean }

/** A guard in all windows, compared with the same bots without it. */
export type GuardEvidence = {
  guards: Guards
  /** Money with the guard minus money without the guard; of two middle ones, the lower. */
  medianDifference: Units
  better: number
  worse: number
  reached: number
  /** Largest fall within any window, a fraction of the peak. */
  fall: number
  fallWithout: number
}

export function hourlyCloses(
  series: readonly CandleSeries[],
  windows: readonly Window[],
): readonly PathCloses[] {
  const fromMs = windows[0]?.fromMs ?? 0
  const toMs = windows.at(-1)?.toMs ?? 0
  return series.map((one) => closesByHour(one, { fromMs, toMs }))
}

/** Outcomes of a window: the first without a guard, then one for each standard guard. */
export function guardedOutcomes(input: FollowedWindow): GuardedOutcome[] {
  const whole = pathUntil(openPath(input, input.window.fromMs), input.window.toMs)
  const { reached, fall } = scan(whole, input)
  const end = afterFee(finishWindow(whole, input), input)
  const without: GuardedOutcome = { end, fall: fallTo(fall, Number(end)), isReached: false }
  const guarded = STANDARD_GUARDS.map((guards): GuardedOutcome => {
    if (guards.dailyLossBps !== null) return dailyOutcome(guards.dailyLossBps, { whole, input })
    const first = reached.get(guards)
    if (!first) return without
    const sold = afterFee(sellAt(whole, first.timeMs, input), input)
    return { end: sold, fall: fallTo(first, Number(sold)), isReached: true }
  })
  return [without, ...guarded]
}

/** Guards of one kind, in the order in which they are reached. */
const ofKind = (isOne: (guards: Guards) => boolean): readonly Guards[] =>
  STANDARD_GUARDS.filter(isOne)
const STOPS = ofKind(
  ({ stopLossBps, stopLossFrom }) => stopLossBps !== null && stopLossFrom === 'invested',
)
const TRAILING = ofKind(
  ({ stopLossBps, stopLossFrom }) => stopLossBps !== null && stopLossFrom === 'best',
)
const PROFITS = ofKind(({ takeProfitBps }) => takeProfitBps !== null)

type Reached = Fall & { timeMs: number }

function scan(
  { worth, fromMs }: WindowPath,
  input: WindowMoney,
): { reached: Map<Guards, Reached>; fall: Fall } {
  const money = signalsOf(input)
  const { invested } = money
  const reached = new Map<Guards, Reached>()
  const floors = STOPS.map(({ stopLossBps }) => invested * (1 - (stopLossBps ?? 0) / 10_000))
  const parts = TRAILING.map(({ stopLossBps }) => 1 - (stopLossBps ?? 0) / 10_000)
  const roofs = PROFITS.map(({ takeProfitBps }) => invested * (1 + (takeProfitBps ?? 0) / 10_000))
  const fall: Fall = { best: invested, deepest: 0 }
  let [stop, trailing, profit] = [0, 0, 0]
  const note = (guards: Guards | undefined, hour: number) =>
    guards && reached.set(guards, { ...fall, timeMs: fromMs + hour * HOUR_MS })
  for (let hour = 1; hour < worth.length; hour += 1) {
    const now = worthAfterFee(worth[hour] ?? 0, money)
    fallTo(fall, now)
    while (now <= (floors[stop] ?? -1)) note(STOPS[stop++], hour)
    while (now <= fall.best * (parts[trailing] ?? -1)) note(TRAILING[trailing++], hour)
    while (now >= (roofs[profit] ?? Number.POSITIVE_INFINITY)) note(PROFITS[profit++], hour)
  }
  return { reached, fall }
}

/**
 * Length of a window's parts: long enough that there are few, short enough that little is
 * recomputed after a daily loss.
 */
const PART_MS = 10 * DAY_MS

/**
 * The outcome with a daily loss, after which the bot restarts at the next midnight. `whole`: its
 * path without the guard.
 */
function dailyOutcome(
  dailyLossBps: number,
  { whole, input }: { whole: WindowPath; input: FollowedWindow },
): GuardedOutcome {
  const { window, invested } = input
  const seen: Seen = {
    best: Number(invested),
    deepest: 0,
    dayStart: Number(invested),
    isReached: false,
  }
  const floor = 1 - dailyLossBps / 10_000
  const endedWith = (out: Units): GuardedOutcome => {
    const end = afterFee(out, input)
    return { end, fall: fallTo(seen, Number(end)), isReached: seen.isReached }
  }
  let path = whole
  for (;;) {
    const reachedMs = badDay(path, { seen, floor, input })
    if (reachedMs !== undefined) {
      seen.isReached = true
      const sold = sellAt(path, reachedMs, input)
      if (path.soldMs >= window.toMs) return endedWith(sold)
      seen.dayStart = worthAfterFee(Number(sold), signalsOf(input))
      path = openPath(input, path.soldMs, path.sold)
    }
    if (path.atMs >= window.toMs) return endedWith(finishWindow(path, input))
    path = pathUntil(path, Math.min(path.atMs + PART_MS, window.toMs))
  }
}

type Seen = Fall & { dayStart: number; isReached: boolean }

/** The first hour of the newest part at whose close the daily loss is reached. */
function badDay(
  { worth, fromMs, partFromMs, atMs }: WindowPath,
  { seen, floor, input }: { seen: Seen; floor: number; input: FollowedWindow },
): number | undefined {
  const money = signalsOf(input)
  for (let timeMs = partFromMs + HOUR_MS; timeMs <= atMs; timeMs += HOUR_MS) {
    const now = worthAfterFee(worth[(timeMs - fromMs) / HOUR_MS] ?? 0, money)
    fallTo(seen, now)
    if (timeMs % DAY_MS === 0) seen.dayStart = now
    else if (now <= seen.dayStart * floor) return timeMs
  }
  return undefined
}

export function guardEvidenceOf(outcomes: readonly (readonly GuardedOutcome[])[]): GuardEvidence[] {
  const without = outcomes.map(([first]) => first?.end ?? 0n)
  const fallWithout = largest(outcomes.map(([first]) => first?.fall ?? 0))
  return STANDARD_GUARDS.map((guards, which) => {
    const own = outcomes.map((window) => window[which + 1])
    const differences = own
      .map((outcome, index) => (outcome?.end ?? 0n) - (without[index] ?? 0n))
      .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return {
      guards,
      medianDifference: differences[Math.floor((differences.length - 1) / 2)] ?? 0n,
      better: differences.filter((difference) => difference > 0n).length,
      worse: differences.filter((difference) => difference < 0n).length,
      reached: own.filter((outcome) => outcome?.isReached).length,
      fall: largest(own.map((outcome) => outcome?.fall ?? 0)),
      fallWithout,
    }
  })
}

export const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0)
