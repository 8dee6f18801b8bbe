import { DAY_MS } from '#core/market/candle.ts'
import type { EquityPoint } from './metrics.ts'
import { closingNow, type BacktestRun } from './sleeve.ts'

/**
 * The equity of a bot in a backtest: a few exact points for the screen, and signals for the ratios.
 * Equity always means the amount that closing at that time would leave after the platform fee.
 */
export type EquityRecord = {
  curve: EquityPoint[]
  stepMs: number
  nextPointMs: number
  /** Equity at the start and at the end of each UTC day. */
  daily: number[]
  nextDayMs: number
  /** Equity at the last close, and whether it is the last of `daily`. */
  last: number
  isLastDaily: boolean
  peak: number
  /** Max drawdown so far, a fraction. */
  deepest: number
  lastMs: number
  /** Profit is counted from `invested`; `feeShare` is the platform's fraction of it. */
  invested: number
  feeShare: number
}

/** Starts a record with the run's equity at `fromMs`. */
export function createEquityRecord({
  fromMs,
  toMs,
  points,
  run,
}: {
  fromMs: number
  toMs: number
  points: number
  run: BacktestRun
}): EquityRecord {
  const stepMs = (toMs - fromMs) / Math.max(1, points - 1)
  const { equity } = closingNow(run)
  const signal = Number(equity)
  return {
    curve: [{ timeMs: fromMs, equity }],
    stepMs,
    nextPointMs: fromMs + stepMs,
    daily: [signal],
    nextDayMs: (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS,
    last: signal,
    isLastDaily: true,
    peak: signal,
    deepest: 0,
    lastMs: fromMs,
    invested: Number(run.invested),
    feeShare: run.feeBps / 10_000,
  }
}

/**
 * Records the bot's value at the closes of one time. Exact equity is computed only if a point of
 * the curve is due.
 */
export function recordEquity({
  record,
  timeMs,
  worthSignal,
  run,
}: {
  record: EquityRecord
  timeMs: number
  /** Before the platform's fee. */
  worthSignal: number
  run: BacktestRun
}): void {
  const equitySignal = afterFee(record, worthSignal)
  record.lastMs = timeMs
  if (equitySignal > record.peak) record.peak = equitySignal
  else if (record.peak - equitySignal > record.deepest * record.peak)
    record.deepest = 1 - equitySignal / record.peak
  record.last = equitySignal
  record.isLastDaily = timeMs >= record.nextDayMs
  if (record.isLastDaily) {
    record.daily.push(equitySignal)
    record.nextDayMs = (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS
  }
  if (timeMs >= record.nextPointMs) {
    record.curve.push({ timeMs, equity: closingNow(run).equity })
    record.nextPointMs +=
      Math.ceil((timeMs - record.nextPointMs + 1) / record.stepMs) * record.stepMs
  }
}

/**
 * Equity at the start, at the end of each UTC day, and at the last close: a last day that is not
 * complete counts as well.
 */
export function dailyEquity({ daily, last, isLastDaily }: EquityRecord): readonly number[] {
  return isLastDaily ? daily : [...daily, last]
}

/**
 * Like `closingFee`, in floating point for speed: it runs at every close, and only ratios derive
 * from it.
 */
function afterFee({ invested, feeShare }: EquityRecord, worthSignal: number): number {
  return worthSignal > invested ? worthSignal - (worthSignal - invested) * feeShare : worthSignal
}
