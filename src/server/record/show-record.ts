import type {
  RecordedPool,
  RecordedStrategy,
  RecordGap,
  TrackRecord as ShownRecord,
} from '#contract/track-record.ts'
import { groupBy } from '#core/group-by.ts'
import { marketIdOf } from '#core/market/pair.ts'
import { ONE } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { standingOf, type FollowedPool } from '#core/record/follow-pool.ts'
import { GAP_PARTS, type Standing } from '#core/record/standing.ts'
import {
  hasBacktest,
  type PoolRecord,
  type StrategyRecord,
  type TrackRecord,
} from '#core/record/track-record.ts'

type Figures = Pick<Extract<ShownRecord, { state: 'figures' }>, 'from' | 'to' | 'strategies'>

export function showRecord({ fromMs, untilMs, pools, strategies }: TrackRecord): Figures {
  const byStrategy = groupBy(pools, ({ strategy }) => strategy)
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(untilMs).toISOString(),
    strategies: strategies.map((strategy) =>
      showStrategy(strategy, { untilMs, pools: byStrategy.get(strategy.strategy) ?? [] }),
    ),
  }
}

/** 'BTC-USD-trend-moderate' */
export function poolIdOf({ pair, strategy }: Pick<PoolRecord, 'pair' | 'strategy'>): string {
  return `${marketIdOf(pair)}-${strategy}`
}

type Ending = { untilMs: number; pools: readonly PoolRecord[] }

function showStrategy(
  { strategy, now, days }: StrategyRecord,
  { untilMs, pools }: Ending,
): RecordedStrategy {
  const points = [...days.filter(({ timeMs }) => timeMs < untilMs), { timeMs: untilMs, ...now }]
  return {
    strategy,
    ...showResults(strategy, now),
    curve: points.map((point) => showPoint(strategy, point)),
    pools: pools.map(showPool),
  }
}

function showPool(pool: PoolRecord): RecordedPool {
  return {
    id: poolIdOf(pool),
    pair: pool.pair,
    state: stateOf(pool.followed),
    ...showResults(pool.strategy, standingOf(pool.followed)),
  }
}

function stateOf({ foundedMs, life }: FollowedPool): RecordedPool['state'] {
  if (foundedMs === undefined) return 'never'
  return life ? 'open' : 'empty'
}

export function showPoint(
  strategy: string,
  { timeMs, real, backtest }: { timeMs: number; real: number; backtest: number },
) {
  return {
    at: new Date(timeMs).toISOString(),
    real: percentText(real),
    backtest: hasBacktest(strategy) ? percentText(backtest) : null,
  }
}

function showResults(
  strategy: string,
  standing: Standing,
): Pick<RecordedPool, 'real' | 'backtest' | 'gap'> {
  const isReplayed = hasBacktest(strategy)
  return {
    real: percentText(standing.real),
    backtest: isReplayed ? percentText(standing.backtest) : null,
    gap: isReplayed ? showGap(standing) : null,
  }
}

const HUNDREDTHS_OF_A_PERCENT = 10_000

/**
 * Rounded down, so that no rounding flatters. A ratio that misses a whole hundredth only by the
 * last bits of a number counts as that hundredth.
 */
function percentText(ratio: number): string {
  return unitsToDecimal(
    (BigInt(Math.floor((ratio - 1) * HUNDREDTHS_OF_A_PERCENT + 1e-6)) * ONE) / 100n,
    2,
  )
}

const TENTHS_OF_A_BASIS_POINT = 100_000

/**
 * Shows each part rounded. The difference between the rounded total and the rounded parts counts as
 * `rounding`, so that the parts add up on screen too.
 */
function showGap({ real, backtest, gap }: Standing): RecordGap {
  const tenths = (fraction: number) => Math.round(fraction * TENTHS_OF_A_BASIS_POINT)
  const [total, fee, spread, delay] = [
    tenths(real - backtest),
    tenths(gap.fee),
    tenths(gap.spread),
    tenths(gap.delay),
  ]
  const [missed, interest] = [tenths(gap.missed), tenths(gap.interest)]
  const parts = {
    total,
    fee,
    spread,
    delay,
    missed,
    interest,
    rounding: total - fee - spread - delay - missed - interest,
  }
  return {
    total: tenthsText(parts.total),
    ...Object.fromEntries(GAP_PARTS.map((name) => [name, tenthsText(parts[name])])),
  } as RecordGap
}

function tenthsText(tenths: number): string {
  return unitsToDecimal((BigInt(tenths) * ONE) / 10n, 1)
}
