import type { Bundle } from '#contract/bundle.ts'
import type { BotEvidenceFigures, EvidenceFigures, GuardFigures } from '#contract/evidence.ts'
import type { EvidenceInput, EvidenceMarket } from '#core/evidence/evidence.ts'
import type { MarketDay, MarketModel } from '#core/forecast/market-day.ts'
import type { ForecastMarket } from '#core/forecast/rows.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { BacktestInput, BacktestResult } from '#core/strategy/backtest.ts'
import type { RecordExtension, TrackRecord } from '#core/record/track-record.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import type { TradingCosts } from '#core/trading/costs.ts'

/**
 * A backtest beside holding the same coins. `result` has the last trades only, `tradeCount` counts
 * all of them.
 */
export type ComparedBacktest = { result: BacktestResult; tradeCount: number; held: BacktestResult }

/**
 * A pair whose candles the thread reads by itself from a packed file, which holds `count` of them.
 */
export type RecordedMarket = { pair: Pair; file: string; count: number }

/** A packed file of recorded candles on this machine, and where they are from. */
export type CandleFile = RecordedMarket & { exchange: string; source: string; licence: string }

/** Like `EvidenceInput`, but pairs may be files of candles on the disk. */
export type EvidenceWork = Omit<EvidenceInput, 'markets'> & {
  markets: readonly (EvidenceMarket | RecordedMarket)[]
}

/** `candles`: the hash of the candles that its model could learn from. */
export type HashedMarketDay = MarketDay & {
  model?: (MarketModel & { candles: string }) | undefined
}

/**
 * Every computation over many candles, by name: its input and its result, which pass between
 * threads.
 */
export type Computations = {
  backtest: { input: BacktestInput & { mostTrades: number }; result: ComparedBacktest }
  /** The curve of a backtest alone. */
  growth: { input: BacktestInput; result: readonly EquityPoint[] }
  botEvidence: {
    input: EvidenceWork & { strategy: StrategyKey }
    result: BotEvidenceFigures | null
  }
  /** Null if the candles are too few for a window. */
  guardEvidence: { input: EvidenceWork; result: GuardFigures | null }
  /** Null if the candles are too few for a window. */
  evidence: { input: EvidenceWork; result: EvidenceFigures | null }
  /** Null if the candles are too few for a window. */
  bundle: { input: BundleWork; result: Bundle | null }
  /** The track record, extended by the hours since its end. */
  record: { input: RecordExtension; result: TrackRecord }
  /** `days`: the earlier days of this market. */
  rangeDay: {
    input: { timeMs: number; days: readonly MarketDay[]; markets: readonly ForecastMarket[] }
    result: HashedMarketDay
  }
}

/** Where a pair's candles come from. `seed`: of a simulated market. */
export type BundleOrigin = {
  exchange: string
  source: string
  licence: string
  seed: number | null
}

/**
 * A past result, shown with everything that determines it: every window of twelve months, or one
 * backtest.
 */
export type BundleTask =
  | { kind: 'windows' }
  | { kind: 'backtest'; invested: Units; fromMs: number; toMs: number }

/** A pair whose candles the thread makes by itself. */
type SimulatedMarket = { pair: Pair; seed: number; fromMs: number; count: number }

export type BundleWork = {
  strategy: StrategyKey
  task: BundleTask
  markets: readonly ((EvidenceMarket | RecordedMarket | SimulatedMarket) & {
    origin: BundleOrigin
  })[]
  costs: TradingCosts
  feeBps: number
  /** Yearly interest on idle cash, in basis points; by default 0. */
  yieldBps?: number | undefined
}

export type ComputationName = keyof Computations

/**
 * `owner`: the user, or the part of the product, for the fair queue. `gone`: aborts when nobody
 * waits for the result any more.
 */
export type JobOwner = { owner: string; gone?: AbortSignal | undefined }

/** Port: threads that compute, so that no request waits for another's computation. */
export type Compute = {
  /**
   * Runs a computation in its owner's turn. Throws a refusal if too many wait already,
   * 'temporarily-unavailable' if its thread dies, and whatever the computation throws.
   */
  run: <Name extends ComputationName>(
    name: Name,
    input: Computations[Name]['input'],
    owner: JobOwner,
  ) => Promise<Computations[Name]['result']>
  /** Terminates all threads. Running computations fail with 'temporarily-unavailable'. */
  stop: () => Promise<void>
}
