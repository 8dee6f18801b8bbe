import { assert } from '#core/assert.ts'
import type { Guards } from '#core/guards/guard.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { countBefore, type CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Position } from '#core/trading/position.ts'
import type { BacktestTrade } from './backtest-trade.ts'
import {
  afterCloses,
  beforeTrades,
  openGuards,
  openStop,
  serveStopped,
  type BacktestStop,
  type GuardRun,
} from './guarded-run.ts'
import {
  createEquityRecord,
  dailyEquity,
  recordEquity,
  type EquityRecord,
} from './equity-record.ts'
import { cagr, sharpe, totalReturn, volatilityAYear, type EquityPoint } from './metrics.ts'
import { exposureChanges, type ExposureChange } from './exposure-changes.ts'
import {
  closeCandle,
  closingNow,
  earnUntil,
  openRun,
  skipInterest,
  serveSleeve,
  type BacktestRun,
  type DecidedMarket,
  type Sleeve,
} from './sleeve.ts'
import { allowedDriftBps } from './strategy.ts'
import type { StrategyKey } from './strategy-key.ts'

/** `changes`: since the first candle; computed once when backtests share them. */
export type BacktestMarket = {
  pair: Pair
  series: CandleSeries
  changes?: readonly ExposureChange[]
}

/** Positions that the next backtest starts with. No fee is deducted: no money left the bot. */
export type Portfolio = { positions: readonly Position[] }

export type BacktestInput = {
  strategy: StrategyKey
  markets: readonly BacktestMarket[]
  /** Units of USD, split equally over the pairs. */
  invested: Units
  /** Starts with the next candle, warmed up on all earlier ones. */
  fromMs: number
  /** Exclusive. */
  toMs: number
  costs: TradingCosts
  /** Platform fee in basis points of profit. */
  feeBps: number
  /** Yearly rate of idle cash; default 0. */
  yieldBps?: number
  /** Maximum number of points of the curve; default 400. */
  curvePoints?: number
  /** In the order of PAIRS. */
  portfolio?: Portfolio
  /** Default one hour. */
  candleMs?: number
  guards?: Guards | undefined
}

export type BacktestResult = {
  trades: BacktestTrade[]
  curve: EquityPoint[]
  invested: Units
  /** Worth at the last closes, less `platformFees`. */
  equity: Units
  /** `equity` − `invested`. */
  netResult: Units
  venueFees: Units
  /** Fee of closing at the last closes, on all profit. */
  platformFees: Units
  /** Volume of buys and sales. */
  traded: Units
  /** A fraction: 0.1 is 10 %. */
  totalReturn: number
  /** A fraction, measured at every close. */
  maxDrawdown: number
  /** Undefined below 30 days. */
  cagr: number | undefined
  sharpe: number | undefined
  volatility: number | undefined
  /** See `dailyEquity`. */
  daily: readonly number[]
  portfolio: Portfolio
  stops: readonly BacktestStop[]
}

/**
 * Hypothetical run of a bot: the same decisions, orders and paper fills as in trading, and the
 * platform fee of closing it at the end. A decision made at a close is executed at the next open; a
 * new bot enters at the exposure decided by `fromMs`. At each midnight, idle cash earns its
 * interest before the trades. Candles are processed in order of time, then of PAIRS. Throws
 * `AssertionFailed` without a pair or if `fromMs` is not before `toMs`.
 */
export function backtest(input: BacktestInput): BacktestResult {
  assert(
    input.markets.length > 0 && input.fromMs < input.toMs,
    'a backtest needs a pair and a time',
  )
  const { fromMs, toMs, yieldBps = 0, portfolio } = input
  const run = openRun({
    ...input,
    markets: decidedMarkets(input),
    yieldBps,
    positions: portfolio?.positions,
    keepsTrades: true,
  })
  const record = createEquityRecord({ fromMs, toMs, points: input.curvePoints ?? 400, run })
  const guarded = input.guards && openGuards(input.guards, { run, fromMs })
  replay({ run, record, guarded, candleMs: input.candleMs ?? HOUR_MS })
  for (const sleeve of run.sleeves) earn({ run, sleeve, guarded, untilMs: record.lastMs })
  return resultOf({ input, run, record, stops: guarded?.stops ?? [] })
}

/**
 * Buys all pairs at the first opens and holds them: with entry costs, but no platform fee, since no
 * bot is involved.
 */
export function buyAndHold(input: BacktestInput): BacktestResult {
  return backtest({
    ...input,
    strategy: 'hold',
    feeBps: 0,
    guards: undefined,
    markets: input.markets.map(({ pair, series }) => ({ pair, series })),
  })
}

function decidedMarkets({
  strategy,
  costs,
  markets,
  fromMs,
  toMs,
}: BacktestInput): DecidedMarket[] {
  const inOrder = markets.toSorted((a, b) => PAIRS.indexOf(a.pair) - PAIRS.indexOf(b.pair))
  return inOrder.map(({ pair, series, changes }) => {
    const scan = {
      strategy,
      costs,
      series,
      fromCount: countBefore(series, fromMs),
      toCount: countBefore(series, toMs),
    }
    return {
      pair,
      series,
      changes: changes ?? exposureChanges(scan),
      driftBps: allowedDriftBps(strategy),
    }
  })
}

type Replaying = {
  run: BacktestRun
  record: EquityRecord
  guarded: GuardRun | undefined
  candleMs: number
}

function replay({ run, record, guarded, candleMs }: Replaying): void {
  const { sleeves } = run
  for (
    let timeMs = nextTimeMs(sleeves);
    timeMs !== Number.POSITIVE_INFINITY;
    timeMs = nextTimeMs(sleeves)
  ) {
    // Interest is also due on pairs without a candle at midnight.
    for (const sleeve of sleeves) earn({ run, sleeve, guarded, untilMs: timeMs })
    if (guarded) beforeTrades(guarded, { run, timeMs })
    const stop = guarded && openStop(guarded)
    let worthSignal = 0
    for (const sleeve of sleeves) {
      if (nextTimeOf(sleeve) === timeMs) {
        serve(run, sleeve, stop)
        closeCandle(sleeve)
      }
      worthSignal += sleeve.cashSignal + sleeve.baseSignal * sleeve.closeSignal
    }
    recordEquity({ record, timeMs: timeMs + candleMs, worthSignal, run })
    if (guarded) afterCloses(guarded, { run, timeMs: timeMs + candleMs })
  }
}

type Earning = { run: BacktestRun; sleeve: Sleeve; guarded: GuardRun | undefined; untilMs: number }

/** A stopped bot without coins earns nothing, because it has left the pools. */
function earn({ run, sleeve, guarded, untilMs }: Earning): void {
  const stop = guarded && openStop(guarded)
  if (!stop || sleeve.position.base > 0n) return earnUntil(run, sleeve, untilMs)
  earnUntil(run, sleeve, stop.timeMs)
  skipInterest(sleeve, untilMs)
}

function serve(run: BacktestRun, sleeve: Sleeve, stop: BacktestStop | undefined): void {
  if (stop) serveStopped(stop, { run, sleeve })
  else serveSleeve(run, sleeve)
}

function nextTimeMs(sleeves: readonly Sleeve[]): number {
  let next = Number.POSITIVE_INFINITY
  for (const sleeve of sleeves) {
    const timeMs = nextTimeOf(sleeve)
    if (timeMs < next) next = timeMs
  }
  return next
}

function nextTimeOf({ index, end, series }: Sleeve): number {
  return index < end ? (series.openTimesMs[index] ?? Number.NaN) : Number.POSITIVE_INFINITY
}

type Finished = {
  input: BacktestInput
  run: BacktestRun
  record: EquityRecord
  stops: readonly BacktestStop[]
}

function resultOf({ input, run, record, stops }: Finished): BacktestResult {
  const { fromMs, toMs, invested } = input
  const { equity: end, fee } = closingNow(run)
  const start = record.curve[0]?.equity ?? invested
  const daily = dailyEquity(record)
  return {
    trades: run.trades ?? [],
    curve: [
      ...record.curve.filter(({ timeMs }) => timeMs < record.lastMs),
      { timeMs: record.lastMs, equity: end },
    ],
    invested,
    equity: end,
    netResult: end - invested,
    venueFees: run.venueFees,
    platformFees: fee,
    traded: run.traded,
    totalReturn: totalReturn({ start, end }),
    maxDrawdown: record.deepest,
    cagr: cagr({ start, end, durationMs: toMs - fromMs }),
    sharpe: sharpe(daily),
    volatility: volatilityAYear(daily),
    daily,
    portfolio: { positions: run.sleeves.map(({ position }) => position) },
    stops,
  }
}
