import type { Units } from '#core/money/amount.ts'
import type { EquityPoint } from './metrics.ts'
import { equityOfBook, type Book } from './sleeve.ts'

/** What a backtest keeps of a bot's equity: few exact points for the screen, and signals for the ratios. */
export type EquityRecord = {
  curve: EquityPoint[]
  stepMs: number
  nextPointMs: number
  /** The equity at the end of each UTC day. */
  daily: number[]
  nextDayMs: number
  peak: number
  /** The deepest drawdown so far, a fraction. */
  deepest: number
  lastMs: number
}

const DAY_MS = 86_400_000

export function createEquityRecord({ fromMs, toMs, equity, points }: {
  fromMs: number
  toMs: number
  equity: Units
  points: number
}): EquityRecord {
  const stepMs = (toMs - fromMs) / Math.max(1, points - 1)
  const signal = Number(equity)
  return {
    curve: [{ timeMs: fromMs, equity }],
    stepMs,
    nextPointMs: fromMs + stepMs,
    daily: [signal],
    nextDayMs: (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS,
    peak: signal,
    deepest: 0,
    lastMs: fromMs,
  }
}

/** Takes in the equity at the closes of one moment. The exact figure is only worked out where a point of the curve is due. */
export function recordEquity({ record, timeMs, equitySignal, book }: {
  record: EquityRecord
  timeMs: number
  equitySignal: number
  book: Book
}): void {
  record.lastMs = timeMs
  if (equitySignal > record.peak) record.peak = equitySignal
  else if (record.peak - equitySignal > record.deepest * record.peak) record.deepest = 1 - equitySignal / record.peak
  if (timeMs >= record.nextDayMs) {
    record.daily.push(equitySignal)
    record.nextDayMs = (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS
  }
  if (timeMs >= record.nextPointMs) {
    record.curve.push({ timeMs, equity: equityOfBook(book) })
    record.nextPointMs += Math.ceil((timeMs - record.nextPointMs + 1) / record.stepMs) * record.stepMs
  }
}
