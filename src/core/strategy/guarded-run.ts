import { guardReason } from '#core/guards/guard-reason.ts'
import {
  beginAgain,
  marksAt,
  watch,
  type GuardMarks,
  type Guards,
  type GuardTrip,
} from '#core/guards/guard.ts'
import type { Units } from '#core/money/amount.ts'
import { closingNow, emptySleeve, sellSleeve, type BacktestRun, type Sleeve } from './sleeve.ts'

/** `timeMs`: the close at which the guard was reached. `endedMs`: when the bot restarted. */
export type BacktestStop = GuardTrip & { timeMs: number; endedMs: number | null }

/** `before`: the worth at the previous close. */
export type GuardRun = {
  guards: Guards
  marks: GuardMarks
  before: Units
  stops: BacktestStop[]
}

export function openGuards(
  guards: Guards,
  { run, fromMs }: { run: BacktestRun; fromMs: number },
): GuardRun {
  const worth = closingNow(run).equity
  return {
    guards,
    marks: { ...marksAt({ worth, timeMs: fromMs }), start: run.invested },
    before: worth,
    stops: [],
  }
}

export function openStop({ stops }: GuardRun): BacktestStop | undefined {
  const last = stops.at(-1)
  return last?.endedMs === null ? last : undefined
}

/** Restarts a stopped bot once its restart is due and everything is sold. */
export function beforeTrades(
  guarded: GuardRun,
  { run, timeMs }: { run: BacktestRun; timeMs: number },
): void {
  const stop = openStop(guarded)
  if (
    !stop ||
    stop.backMs === null ||
    stop.backMs > timeMs ||
    run.sleeves.some(({ position }) => position.base > 0n)
  )
    return
  const worth = closingNow(run).equity
  const { marks, trip } = beginAgain(guarded.guards, guarded.marks, {
    worth,
    timeMs,
    stoppedBy: stop.guard,
  })
  stop.endedMs = timeMs
  guarded.marks = marks
  guarded.before = worth
  if (trip) guarded.stops.push({ ...trip, timeMs, endedMs: null })
}

export function serveStopped(
  stop: BacktestStop,
  { run, sleeve }: { run: BacktestRun; sleeve: Sleeve },
): void {
  sellSleeve(run, sleeve, guardReason(stop))
}

export function afterCloses(
  guarded: GuardRun,
  { run, timeMs }: { run: BacktestRun; timeMs: number },
): void {
  if (openStop(guarded)) return
  const worth = closingNow(run).equity
  const { marks, trip } = watch(guarded.guards, guarded.marks, {
    worth,
    timeMs,
    before: guarded.before,
  })
  guarded.marks = marks
  guarded.before = worth
  if (!trip) return
  guarded.stops.push({ ...trip, timeMs, endedMs: null })
  for (const sleeve of run.sleeves) emptySleeve(sleeve)
}
