import { midnightAfter } from '#core/trading/cash-yield.ts'
import type { EquityPoint } from './metrics.ts'
import { closingNow, type BacktestRun } from './sleeve.ts'

/** Highest worth so far, and the largest fall as a fraction of the high before it. */
export type Fall = { best: number; deepest: number }

/** Returns the largest fall so far. */
export function fallTo(fall: Fall, now: number): number {
  if (now > fall.best) fall.best = now
  else if (fall.best - now > fall.deepest * fall.best) fall.deepest = 1 - now / fall.best
  return fall.deepest
}

/** `invested`: base of the profit; `feeShare`: the platform's fraction of it. */
export type MoneySignals = { invested: number; feeShare: number }

/**
 * The worth less the closing fee, in floating point for speed. Only ratios are derived from it;
 * `closingFee` computes the exact fee.
 */
export function worthAfterFee(worth: number, { invested, feeShare }: MoneySignals): number {
  return worth > invested ? worth - (worth - invested) * feeShare : worth
}

/** Equity after the platform fee: exact points, and signals for ratios. */
export type EquityRecord = Fall &
  MoneySignals & {
    curve: EquityPoint[]
    stepMs: number
    nextPointMs: number
    /** Equity at the start and at the end of each UTC day. */
    daily: number[]
    nextDayMs: number
    /** Equity at the last close, and whether `daily` already ends with it. */
    last: number
    isLastDaily: boolean
    lastMs: number
  }

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
    nextDayMs: midnightAfter(fromMs),
    last: signal,
    isLastDaily: true,
    best: signal,
    deepest: 0,
    lastMs: fromMs,
    invested: Number(run.invested),
    feeShare: run.feeBps / 10_000,
  }
}

/**
 * Records the equity at a close. The exact equity is computed only if a point of the curve is due.
 */
export function recordEquity({
  record,
  timeMs,
  worthSignal,
  run,
}: {
  record: EquityRecord
  timeMs: number
  /** Worth before the platform fee. */
  worthSignal: number
  run: BacktestRun
}): void {
  const equitySignal = worthAfterFee(worthSignal, record)
  record.lastMs = timeMs
  fallTo(record, equitySignal)
  record.last = equitySignal
  record.isLastDaily = timeMs >= record.nextDayMs
  if (record.isLastDaily) {
    record.daily.push(equitySignal)
    record.nextDayMs = midnightAfter(timeMs)
  }
  if (timeMs >= record.nextPointMs) {
    record.curve.push({ timeMs, equity: closingNow(run).equity })
    record.nextPointMs +=
      Math.ceil((timeMs - record.nextPointMs + 1) / record.stepMs) * record.stepMs
  }
}

export function dailyEquity({ daily, last, isLastDaily }: EquityRecord): readonly number[] {
  return isLastDaily ? daily : [...daily, last]
}
