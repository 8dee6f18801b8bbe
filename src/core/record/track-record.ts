import { required } from '#core/assert.ts'
import { groupBy } from '#core/group-by.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import { countBefore, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { exposureChanges } from '#core/strategy/exposure-changes.ts'
import { allowedDriftBps } from '#core/strategy/strategy.ts'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import type { CashYield } from '#core/trading/cash-yield.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import {
  followPool,
  standingOf,
  unfollowed,
  type FollowedPool,
  type PoolRules,
  type RecordPoint,
} from './follow-pool.ts'
import type { RecordedChange } from './pool-life.ts'
import { AT_START, linked, meanOf, periodBetween, type Standing } from './standing.ts'

/** `id`: the pool's. `midnight`: its standing at the last midnight. */
export type PoolRecord = {
  id: number
  strategy: string
  pair: Pair
  followed: FollowedPool
  midnight: Standing
}

/** `days`: at midnights, oldest first; a long record keeps only some. */
export type StrategyRecord = {
  strategy: string
  midnight: Standing
  days: readonly RecordDay[]
  now: Standing
}
type RecordDay = { timeMs: number; real: number; backtest: number }

/** Plain data, extended hour by hour. */
export type TrackRecord = {
  fromMs: number
  untilMs: number
  pools: readonly PoolRecord[]
  strategies: readonly StrategyRecord[]
}

/** `series` starts early enough to warm up the strategies. */
export type RecordMarket = { pair: Pair; series: CandleSeries }

export type RecordExtension = {
  record: TrackRecord
  markets: readonly RecordMarket[]
  /** Changes by pool id, from `record.untilMs` to `untilMs`, in journal order. */
  changes: ReadonlyMap<number, readonly RecordedChange[]>
  /** Interest on idle cash in the same period. */
  yields?: readonly CashYield[]
  costs: TradingCosts
  untilMs: number
}

export function beginRecord({
  fromMs,
  pools,
}: {
  fromMs: number
  pools: readonly Pick<PoolRecord, 'id' | 'strategy' | 'pair'>[]
}): TrackRecord {
  const startMs = floorHour(fromMs)
  const strategies = [...new Set(pools.map(({ strategy }) => strategy))]
  return {
    fromMs: startMs,
    untilMs: startMs,
    pools: pools.map(({ id, strategy, pair }) => ({
      id,
      strategy,
      pair,
      followed: unfollowed(startMs),
      midnight: AT_START,
    })),
    strategies: strategies.map((strategy) => ({
      strategy,
      midnight: AT_START,
      days: [{ timeMs: startMs, real: 1, backtest: 1 }],
      now: AT_START,
    })),
  }
}

/** Extending a record in several steps gives the same as in one. */
export function extendRecord({
  record,
  markets,
  changes,
  yields,
  costs,
  untilMs,
}: RecordExtension): TrackRecord {
  const span = { fromMs: record.untilMs, untilMs }
  const followed = record.pools.flatMap((pool): Extended[] => {
    const series = markets.find(({ pair }) => pair === pool.pair)?.series
    if (!series) return [{ before: pool, pool, points: [] }]
    const rules = rulesOf(pool.strategy, { series, costs, ...span })
    const step = followPool({
      pool: pool.followed,
      pair: pool.pair,
      series,
      ...rules,
      costs,
      changes: changes.get(pool.id) ?? [],
      yields,
      untilMs,
    })
    return [
      {
        before: pool,
        pool: { ...pool, followed: step.pool, midnight: step.points.at(-1) ?? pool.midnight },
        points: step.points,
      },
    ]
  })
  const byStrategy = groupBy(followed, ({ pool }) => pool.strategy)
  const strategies = record.strategies.map((strategy) =>
    extendStrategy(strategy, byStrategy.get(strategy.strategy) ?? []),
  )
  return { fromMs: record.fromMs, untilMs, pools: followed.map(({ pool }) => pool), strategies }
}

export function hasBacktest(strategy: string): boolean {
  return keyOf(strategy) !== undefined
}

type Hours = { series: CandleSeries; costs: TradingCosts; fromMs: number; untilMs: number }

function rulesOf(name: string, { series, costs, fromMs, untilMs }: Hours): PoolRules {
  const strategy = keyOf(name)
  if (!strategy) return { decisions: [] }
  const decisions = exposureChanges({
    strategy,
    costs,
    series,
    fromCount: countBefore(series, fromMs),
    toCount: countBefore(series, untilMs),
  })
  return { decisions, driftBps: allowedDriftBps(strategy) }
}

/** Undefined if the strategy is no longer offered. */
function keyOf(strategy: string): StrategyKey | undefined {
  return STRATEGY_KEYS.find((key) => key === strategy)
}

/** `before`: the pool before the extension; `points`: its midnights since. */
type Extended = { before: PoolRecord; pool: PoolRecord; points: readonly RecordPoint[] }

/**
 * A day of the strategy is the mean over the pools that held money on it. A pool founded later
 * changes no earlier day, so published figures never change.
 */
function extendStrategy(record: StrategyRecord, pools: readonly Extended[]): StrategyRecord {
  let { midnight } = record
  const days = [...record.days]
  // Pools whose pair has no candles here stay as they are.
  const passing = pools.filter(({ points }) => points.length > 0)
  let previous = passing.map(({ before }) => before.midnight)
  for (const index of (passing[0]?.points ?? []).keys()) {
    const points = passing.map(({ points: ofPool }) =>
      required(ofPool[index], 'pools pass the same midnights'),
    )
    const periods = points.flatMap((point, which) =>
      point.hasHeld ? [periodBetween(required(previous[which], 'a standing'), point)] : [],
    )
    midnight = linked(midnight, meanOf(periods))
    days.push({ timeMs: points[0]?.timeMs ?? 0, real: midnight.real, backtest: midnight.backtest })
    previous = points
  }
  const today = pools.flatMap(({ pool }) =>
    pool.followed.hasHeld ? [periodBetween(pool.midnight, standingOf(pool.followed))] : [],
  )
  return { ...record, midnight, days: thinned(days), now: linked(midnight, meanOf(today)) }
}

/** Most days of a curve; a longer one is thinned to between half as many and this. */
const KEPT_DAYS = 120

/**
 * Keeps the first midnight and, of a long record, every second, fourth, … one, depending only on
 * the length of the record.
 */
function thinned(days: readonly RecordDay[]): RecordDay[] {
  const spanMs = (days.at(-1)?.timeMs ?? 0) - (days[0]?.timeMs ?? 0)
  let stepMs = DAY_MS
  while (spanMs / stepMs > KEPT_DAYS) stepMs *= 2
  return days.filter(({ timeMs }, index) => index === 0 || timeMs % stepMs === 0)
}
