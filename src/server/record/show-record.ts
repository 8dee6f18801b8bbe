import type {
  RecordedPool,
  RecordedStrategy,
  TrackRecord as ShownRecord,
} from '#contract/track-record.ts'
import { groupBy } from '#core/group-by.ts'
import { marketIdOf } from '#core/market/pair.ts'
import { percentGained } from '#core/money/percent.ts'
import { standingOf, type FollowedPool } from '#core/record/follow-pool.ts'
import { gapFigures, type Standing } from '#core/record/standing.ts'
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
function poolIdOf({ pair, strategy }: Pick<PoolRecord, 'pair' | 'strategy'>): string {
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

function showPoint(
  strategy: string,
  { timeMs, real, backtest }: { timeMs: number; real: number; backtest: number },
) {
  return {
    at: new Date(timeMs).toISOString(),
    real: percentGained(real),
    backtest: hasBacktest(strategy) ? percentGained(backtest) : null,
  }
}

function showResults(
  strategy: string,
  standing: Standing,
): Pick<RecordedPool, 'real' | 'backtest' | 'gap'> {
  const isReplayed = hasBacktest(strategy)
  return {
    real: percentGained(standing.real),
    backtest: isReplayed ? percentGained(standing.backtest) : null,
    gap: isReplayed ? gapFigures(standing) : null,
  }
}
