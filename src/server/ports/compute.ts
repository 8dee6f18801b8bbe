import type { EvidenceFigures } from '#contract/evidence.ts'
import type { EvidenceInput } from '#core/evidence/evidence.ts'
import type { BacktestInput, BacktestResult } from '#core/strategy/backtest.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'

/** A backtest beside holding the same coins. `result` has the last trades only, `tradeCount` counts all of them. */
export type ComparedBacktest = { result: BacktestResult; tradeCount: number; held: BacktestResult }

/** Every computation over many candles, by name: its input and its result, which pass between threads. */
export type Computations = {
  backtest: { input: BacktestInput & { mostTrades: number }; result: ComparedBacktest }
  /** The curve of a backtest alone. */
  growth: { input: BacktestInput; result: readonly EquityPoint[] }
  /** Null if the candles are too few for a window. */
  evidence: { input: EvidenceInput; result: EvidenceFigures | null }
}

export type ComputationName = keyof Computations

/** `owner`: the user, or the part of the product, in whose turn it runs. Once `gone` aborts, nobody waits for the result. */
type Asked = { owner: string; gone?: AbortSignal | undefined }

/** Port: threads that compute, so that no request waits for another's computation. */
export type Compute = {
  /**
   * Runs a computation in its owner's turn. Throws a refusal if too many wait already, 'temporarily-unavailable' if its thread dies, and whatever
   * the computation throws.
   */
  run: <Name extends ComputationName>(name: Name, input: Computations[Name]['input'], asked: Asked) => Promise<Computations[Name]['result']>
  /** Ends all threads. What runs is refused. */
  stop: () => Promise<void>
}
