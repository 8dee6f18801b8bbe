import { required } from '#core/assert.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { countBefore, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { ExposureChange } from '#core/strategy/exposure-changes.ts'
import {
  closeCandle,
  openRun,
  placeSleeve,
  serveSleeve,
  type BacktestRun,
  type Sleeve,
} from '#core/strategy/sleeve.ts'
import { interestOf, type CashYield } from '#core/trading/cash-yield.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { openPosition, type Position } from '#core/trading/position.ts'
import {
  applyTrade,
  assumeTrade,
  earnInterest,
  INVESTED,
  standingOfLife,
  type Life,
  type RecordedChange,
} from './pool-life.ts'
import { AT_START, linked, type Standing } from './standing.ts'

/**
 * A pool as followed until `untilMs`. Following it in several steps gives the same as in one. Plain
 * data, because it passes between threads.
 */
export type FollowedPool = {
  untilMs: number
  lastChange: bigint
  /** The last close, units of quote; 0 before the first. */
  price: number
  /** Standing after all earlier lives, linked to each other; constant while the pool was empty. */
  past: Standing
  life: Life | undefined
  /** Whether the pool held money since the last point. */
  hasHeld: boolean
  /** Market times of its first founding and its last end. */
  foundedMs: number | undefined
  emptiedMs: number | undefined
}

/**
 * The standing at a midnight, before its trades. `hasHeld`: whether it held coins at any time
 * since the previous point.
 */
export type RecordPoint = Standing & { timeMs: number; hasHeld: boolean }

/**
 * `decisions`: the strategy's targets on the candles to follow. `driftBps`: see `allowedDriftBps`.
 */
export type PoolRules = { decisions: readonly ExposureChange[]; driftBps?: number | undefined }

type PoolToFollow = PoolRules & {
  pool: FollowedPool
  pair: Pair
  series: CandleSeries
  costs: TradingCosts
  /** Ordered by number. */
  changes: readonly RecordedChange[]
  /**
   * Interest that the book paid on idle cash in these hours, in order; the backtest earns the same.
   */
  yields?: readonly CashYield[] | undefined
  untilMs: number
}

export function unfollowed(fromMs: number): FollowedPool {
  return {
    untilMs: fromMs,
    lastChange: 0n,
    price: 0,
    past: AT_START,
    life: undefined,
    hasHeld: false,
    foundedMs: undefined,
    emptiedMs: undefined,
  }
}

export function standingOf({ past, life, price }: FollowedPool): Standing {
  return life ? linked(past, standingOfLife(life, price)) : past
}

/**
 * Follows a pool's journal and the backtest of the same candles from the last step up to `untilMs`.
 */
export function followPool(input: PoolToFollow): { pool: FollowedPool; points: RecordPoint[] } {
  const follower = openFollower(input)
  const { series, untilMs, changes } = input
  const end = countBefore(series, untilMs)
  let next = 0
  const passWhile = (isDue: (change: RecordedChange) => boolean, candle?: number) => {
    for (let change = changes[next]; change && isDue(change); change = changes[next]) {
      assumeInterest(follower, change.timeMs)
      passPoints(follower, change.timeMs)
      applyChange(follower, change, candle)
      follower.pool.lastChange = change.number
      next += 1
    }
  }
  const changesBefore = (timeMs: number, candle?: number) => {
    passWhile((change) => change.timeMs < timeMs, candle)
    assumeInterest(follower, timeMs)
  }
  for (let candle = countBefore(series, input.pool.untilMs); candle < end; candle += 1) {
    const openMs = series.openTimesMs[candle] ?? Number.NaN
    changesBefore(openMs)
    passPoints(follower, openMs)
    // Interest is paid before the trades of its hour.
    assumeInterest(follower, openMs + 1)
    passWhile(({ interest, timeMs }) => interest !== undefined && timeMs === openMs, candle)
    // At a whole hour members leave before the strategy trades. If the last ones left, there is no
    // trade.
    if (!endsAt(changes[next], openMs)) serveBacktest(follower, candle)
    changesBefore(openMs + HOUR_MS, candle)
    closeBacktest(follower, candle)
  }
  changesBefore(untilMs)
  passPoints(follower, untilMs)
  return { pool: { ...follower.pool, untilMs }, points: follower.points }
}

/** The empty position with which the backtest follows its targets while the pool is empty. */
const NOTHING: Position = openPosition(0n)

type Follower = PoolToFollow & {
  run: BacktestRun
  sleeve: Sleeve
  points: RecordPoint[]
  nextPointMs: number
  nextYield: number
}

function openFollower(input: PoolToFollow): Follower {
  const { pair, series, decisions, driftBps, costs, untilMs } = input
  const pool = { ...input.pool, life: input.pool.life && { ...input.pool.life } }
  const positions = [pool.life?.position ?? NOTHING]
  const run = openRun({
    markets: [{ pair, series, changes: decisions, driftBps }],
    invested: INVESTED,
    fromMs: pool.untilMs,
    toMs: untilMs,
    costs,
    feeBps: 0,
    yieldBps: 0,
    positions,
    keepsTrades: true,
  })
  const nextPointMs = (Math.floor(pool.untilMs / DAY_MS) + 1) * DAY_MS
  return {
    ...input,
    pool,
    run,
    sleeve: required(run.sleeves[0], 'a run has a sleeve'),
    points: [],
    nextPointMs,
    nextYield: 0,
  }
}

const endsAt = (change: RecordedChange | undefined, timeMs: number): boolean =>
  change?.timeMs === timeMs && change.units === 0n

function passPoints(follower: Follower, timeMs: number): void {
  const { pool, points } = follower
  for (; follower.nextPointMs <= timeMs; follower.nextPointMs += DAY_MS) {
    points.push({ timeMs: follower.nextPointMs, ...standingOf(pool), hasHeld: pool.hasHeld })
    pool.hasHeld = pool.life !== undefined
  }
}

function applyChange(follower: Follower, change: RecordedChange, candle: number | undefined): void {
  const { pool, series } = follower
  if (!pool.life) {
    if (change.units > 0n) found(follower, change, candle)
  } else if (change.units === 0n) {
    const price = change.price > 0n ? Number(change.price) : pool.price
    Object.assign(pool, {
      past: linked(pool.past, standingOfLife(pool.life, price)),
      life: undefined,
      emptiedMs: change.timeMs,
    })
    placeSleeve(follower.sleeve, NOTHING)
  } else if (change.interest !== undefined) {
    earnInterest(pool.life, { ...change, interest: change.interest })
  } else {
    const open = candle === undefined ? undefined : series.open[candle]
    applyTrade(pool.life, change, open ?? change.price)
  }
}

/**
 * Founds a pool with cash. Like the pool, the backtest enters at the open of the same hour, or
 * after a hole at the next open.
 */
function found(
  follower: Follower,
  { cash, units, timeMs }: RecordedChange,
  candle: number | undefined,
): void {
  const { pool, sleeve } = follower
  placeSleeve(sleeve, openPosition(INVESTED))
  pool.life = {
    unitValue: Number(cash) / Number(units),
    cash: 1,
    base: 0,
    position: sleeve.position,
    fee: 0,
    spread: 0,
    delay: 0,
    interest: 0,
    moreBase: 0,
    moreAtOpen: 0,
  }
  pool.hasHeld = true
  pool.foundedMs ??= timeMs
  pool.emptiedMs = undefined
  if (candle !== undefined) serveBacktest(follower, candle)
}

/** Books the assumed interest of each midnight before `timeMs`. */
function assumeInterest(follower: Follower, timeMs: number): void {
  const {
    pool: { life },
    sleeve,
    yields = [],
  } = follower
  for (
    let paid = yields[follower.nextYield];
    paid && paid.midnightMs < timeMs;
    paid = yields[follower.nextYield]
  ) {
    passPoints(follower, paid.midnightMs)
    follower.nextYield += 1
    if (!life) continue
    const interest = interestOf(sleeve.position.cash, paid.rateBps)
    placeSleeve(sleeve, { ...sleeve.position, cash: sleeve.position.cash + interest })
    life.position = sleeve.position
    life.interest -= Number(interest) / Number(INVESTED)
  }
}

/** Lets the backtest trade at the candle's open. */
function serveBacktest({ pool: { life }, run, sleeve, series }: Follower, candle: number): void {
  sleeve.index = candle
  serveSleeve(run, sleeve)
  if (!life) return
  life.position = sleeve.position
  for (const trade of run.trades?.splice(0) ?? [])
    assumeTrade(life, trade, series.open[candle] ?? trade.price)
}

function closeBacktest({ pool, sleeve }: Follower, candle: number): void {
  sleeve.index = candle
  closeCandle(sleeve)
  pool.price = sleeve.closeSignal
  if (pool.life) pool.life.position = sleeve.position
}
