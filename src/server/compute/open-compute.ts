import { availableParallelism } from 'node:os'
import { countBefore } from '#core/market/candle-series.ts'
import { Refusal } from '#core/refusal.ts'
import type { BacktestInput } from '#core/strategy/backtest.ts'
import type {
  BundleWork,
  ComputationName,
  Compute,
  Computations,
  EvidenceWork,
} from '#server/ports/compute.ts'
import { openThreads } from '#server/threads/threads.ts'
import { openTurns } from '#server/security/turns.ts'

/**
 * At least two threads, because the evidence occupies one for seconds. They run at low priority.
 */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1))

/**
 * A full queue is processed within seconds, before its requests time out. `waitingEach`: above 1,
 * because a form sends new requests before the first is answered.
 */
const LIMITS = { underWay: THREADS, waiting: 60, waitingEach: 4 }

/**
 * Measured: twelve pairs over three years, some 950,000 candles, with buy and hold beside them,
 * take 54 ms.
 */
const MS_PER_CANDLE = 6e-5

/**
 * Passes of the evidence over each candle: one for every level, then one for every window that
 * contains it.
 */
const EVIDENCE_PASSES = 300

/** All evidence takes this many times as long as the evidence of one strategy. */
const LEVELS = 4

/**
 * Measured: guards follow each bot hour by hour, which takes three times as long as the evidence.
 */
const GUARD_PASSES = 3

/**
 * Limit after which a computation counts as hung. Evidence over many years takes half a minute, and
 * several minutes on a slow, busy machine.
 */
const TIME_LIMIT_MS = 3_600_000

/** A thread that needs more than this is terminated. Computations need far less. */
const MEMORY_LIMIT_MB = 1_024

/**
 * Measured: a day with training, once a month, takes one to two seconds; any other day a tenth of
 * one.
 */
const RANGE_DAY = 2e7

const COSTS: { [Name in ComputationName]: (input: Computations[Name]['input']) => number } = {
  backtest: (input) => 2 * candlesOf(input),
  growth: candlesOf,
  evidence: evidenceCost,
  guardEvidence: (work) => GUARD_PASSES * evidenceCost(work),
  bundle: bundleCost,
  botEvidence: (work) => evidenceCost(work) / LEVELS,
  record: ({ record, markets }) =>
    markets.reduce(
      (sum, { series, pair }) =>
        sum + series.length * record.pools.filter((pool) => pool.pair === pair).length,
      1,
    ),
  rangeDay: () => RANGE_DAY,
}

function evidenceCost({ markets }: EvidenceWork): number {
  return markets.reduce(
    (sum, market) =>
      sum + EVIDENCE_PASSES * ('file' in market ? market.count : market.series.length),
    1,
  )
}

function bundleCost({ markets, task }: BundleWork): number {
  const candles = markets.reduce(
    (sum, market) => sum + ('series' in market ? market.series.length : market.count),
    1,
  )
  return task.kind === 'windows' ? (EVIDENCE_PASSES * candles) / LEVELS : 2 * candles
}

/** Number of candles to process, including those that warm up the strategies. */
function candlesOf({ markets, toMs }: BacktestInput): number {
  return markets.reduce((sum, { series }) => sum + countBefore(series, toMs), 1)
}

/**
 * Opens the threads. Candles are not copied to them: their columns are memory that threads share.
 */
export function openCompute(): Compute {
  const turns = openTurns({ limits: LIMITS, msPerCost: MS_PER_CANDLE })
  const threads = openThreads({
    script: new URL('./compute-worker.ts', import.meta.url),
    timeLimitMs: TIME_LIMIT_MS,
    memoryLimitMb: MEMORY_LIMIT_MB,
  })
  const run = async <Name extends ComputationName>(
    name: Name,
    input: Computations[Name]['input'],
  ) => (await threads.run({ name, input })) as Computations[Name]['result']
  return {
    run: (name, input, { owner, gone }) =>
      unlessGone(
        turns.take({ owner, cost: COSTS[name](input), gone }, () => run(name, input)),
        gone,
      ),
    stop: threads.stop,
  }
}

/**
 * Drops work whose caller has disconnected, unless it is running: terminating its thread and
 * starting another would take longer.
 */
function unlessGone<Result>(
  result: Promise<Result>,
  gone: AbortSignal | undefined,
): Promise<Result> {
  if (gone === undefined) return result
  return new Promise<Result>((resolve, reject) => {
    const leave = () => reject(new Refusal('temporarily-unavailable'))
    gone.addEventListener('abort', leave, { once: true })
    if (gone.aborted) leave()
    result.then(resolve, reject).finally(() => gone.removeEventListener('abort', leave))
  })
}
