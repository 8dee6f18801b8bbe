import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { GUARD_NAMES } from '#core/guards/guard.ts'
import { checkGuards, type TypedGuards } from '#core/guards/guard-settings.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { priceAt } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { inEnglish } from '#core/sentences.ts'
import { backtest, type BacktestResult } from '#core/strategy/backtest.ts'
import { choiceOf, feeBpsOf, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { reasonOfTrade } from '#core/strategy/trade-reason.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { closingFee } from '#core/trading/performance-fee.ts'
import { equityOf, type Position } from '#core/trading/position.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { openCandles } from '#server/market/candle-cache.ts'
import { replayFeed } from '#server/market/feed-replay.ts'
import type { Feed } from '#server/ports/feed.ts'
import type { Venue } from '#server/ports/venue.ts'
import { paperVenue } from '#server/trading/venue-paper.ts'
import { lengthOf } from '../world/length.ts'
import { createWorld, type TestUser, type World } from '../world/world.ts'

/** Three months with rises, falls, and an hour in which the exchange was down (24 March 2023). */
const FROM_MS = Date.UTC(2023, 0, 30)
const TO_MS = Date.UTC(2023, 3, 30)
/** Less for bots with guards, with the falls of early March and of the days before it. */
const GUARDED_TO_MS = Date.UTC(2023, 2, 26)
const INVESTED = '1000'

type Plan = Partial<Record<StrategyKey, Pair[]>>

/** Yearly interest on idle cash, in basis points, in the worlds of half the plans. */
const YIELD_BPS = 437
/** Guards of the bots of a plan: tight ones, so that each is reached. */
type Guarding = Partial<Record<StrategyKey, TypedGuards>>

/**
 * No two bots share a pair: each founds its own pools and is alone in its blocks, so its trades
 * equal the fills.
 */
const PLANS: readonly Plan[] = [
  {
    'trend-conservative': ['BTC/USDT', 'ETH/USDT'],
    'trend-moderate': ['XRP/USDT', 'SOL/USDT'],
    'trend-aggressive': ['BNB/USDT'],
  },
  {
    hold: ['BTC/USDT', 'XRP/USDT'],
    'balanced-conservative': ['SOL/USDT', 'ETH/USDT'],
    'balanced-aggressive': ['BNB/USDT'],
  },
  {
    'trend-conservative': ['BNB/USDT'],
    'trend-moderate': ['BTC/USDT'],
    'trend-aggressive': ['SOL/USDT', 'ETH/USDT', 'XRP/USDT'],
  },
  {
    hold: ['ETH/USDT'],
    'balanced-moderate': ['BTC/USDT', 'SOL/USDT', 'XRP/USDT'],
    'trend-moderate': ['BNB/USDT'],
  },
]

/** Bots with guards, which stop and restart several times. */
const GUARDED: Plan = {
  hold: ['BTC/USDT', 'XRP/USDT'],
  'balanced-aggressive': ['BNB/USDT'],
  'trend-aggressive': ['SOL/USDT'],
  'trend-moderate': ['ETH/USDT'],
}
const GUARDING: Guarding = {
  hold: { stopLossPercent: 5, stopLossFrom: 'best', coolDownDays: 2 },
  'balanced-aggressive': { dailyLossPercent: 2, stopLossPercent: 8, coolDownDays: 3 },
  'trend-aggressive': { takeProfitPercent: 3, stopLossPercent: 4, coolDownDays: 1 },
  'trend-moderate': { takeProfitPercent: 2 },
}

let feed: Feed
beforeAll(() => {
  const directory =
    process.env['MARKET_DATA_DIR'] ?? resolve(import.meta.dirname, '../../data/candles')
  feed = replayFeed({ directory, startMs: FROM_MS, nowMs: Date.now() })
})

const named = PLANS.map(
  (plan, which) => [Object.keys(plan).join(', '), which % 2 === 0 ? YIELD_BPS : 0, plan] as const,
)
const settings = (yieldBps: number) => ({ CASH_YIELD_BPS: yieldBps, CASH_YIELD_SOURCE: 'a test' })

/** Usually only these plans run with crashes; the others run without them. */
const CRASHED = lengthOf({ usual: 2, full: PLANS.length })

describe.each(named.slice(lengthOf({ usual: CRASHED, full: 0 })))(
  'bots of %s with %i basis points on idle cash',
  (_strategies, yieldBps, plan) => {
    test('trade the same in the backtest and in the engine', async () => {
      const world = await createWorld({ feed, config: settings(yieldBps) })
      const traded = await tradeAll(world, {
        plan,
        run: () => world.hours((TO_MS - FROM_MS) / HOUR_MS),
      })
      expect(traded).toEqual(backtestAll(plan, { yieldBps }))
    })
  },
)

describe.each(named.slice(0, CRASHED))(
  'bots of %s with %i basis points on idle cash',
  (_strategies, yieldBps, plan) => {
    test('trade the same if the engine crashes, also between planning and settling', async () => {
      const venue = stumblingVenue()
      const world = await createWorld({ feed, config: settings(yieldBps), context: { venue } })
      const traded = await tradeAll(world, { plan, run: () => stumbleOn(world) })
      expect(traded).toEqual(backtestAll(plan, { yieldBps }))
      expect(venue.stumbles()).toBeGreaterThan(2)
    })
  },
)

describe('bots with guards', () => {
  test('trade the same in backtest and engine, also in crashes around a stop', async () => {
    const venue = stumblingVenue()
    const world = await createWorld({ feed, config: settings(YIELD_BPS), context: { venue } })
    const traded = await tradeAll(world, {
      plan: GUARDED,
      guarding: GUARDING,
      toMs: GUARDED_TO_MS,
      run: () => stumbleOn(world, GUARDED_TO_MS),
    })
    expect(traded).toEqual(
      backtestAll(GUARDED, { guarding: GUARDING, toMs: GUARDED_TO_MS, yieldBps: YIELD_BPS }),
    )
    expect(
      [...new Set(traded.flatMap(({ stops }) => stops.map(({ guard }) => guard)))].toSorted(),
    ).toEqual([...GUARD_NAMES].toSorted())
    expect(venue.stumbles()).toBeGreaterThan(2)
  })
})

/** The trades of a bot as one hash, and its final positions. */
type Story = {
  strategy: string
  hash: string
  trades: number
  positions: readonly Held[]
  worth: string
  stops: readonly Stopped[]
}
type Stopped = { guard: string; at: number; changeBps: number; ended: number | null }
type Held = Pick<Position, 'cash' | 'base' | 'appliedBps'>
type Line = {
  pair: string
  side: string
  quantity: string
  price: string
  time: string
  fee: string
  profit: string
  reason: string
}

async function tradeAll(
  world: World,
  {
    plan,
    guarding = {},
    toMs = TO_MS,
    run,
  }: { plan: Plan; guarding?: Guarding; toMs?: number; run: () => Promise<void> },
): Promise<Story[]> {
  try {
    const user = await world.user()
    await user.deposit('5000')
    const bots: { strategy: StrategyKey; id: string }[] = []
    for (const [strategy, tradingPairs] of entriesOf(plan)) {
      const bot = await user.call('createBot', {
        body: {
          name: strategy,
          ...choiceOf(strategy),
          tradingPairs,
          investmentAmount: INVESTED,
          guards: guarding[strategy],
        },
      })
      bots.push({ strategy, id: bot.id })
    }
    await run()
    expect(world.engine.nowMs()).toBe(toMs)
    expect(await reconcile(world.context)).toEqual([])
    const stories: Story[] = []
    for (const { strategy, id } of bots) {
      const positions = await world.context.sql<Held[]>`
        select p.cash + s.cash as cash, p.base, p.applied_bps from sleeves s join pools p
               on p.id = s.pool where s.bot_id = ${id} order by array_position(${PAIRS}, p.pair)`
      const [shown] = (await user.call('listBots')).filter((bot) => bot.id === id)
      const stops = (
        await world.context.sql<
          { guard: string; at: Date; changeBps: number; endedAt: Date | null }[]
        >`
        select guard, at, change_bps, ended_at from bot_stops where bot_id = ${id} order by at`
      ).map(({ guard, at, changeBps, endedAt }) => ({
        guard,
        at: at.getTime(),
        changeBps,
        ended: endedAt?.getTime() ?? null,
      }))
      if (guarding[strategy]) expect(await soldInTheHour(world, id)).toEqual(0)
      stories.push(
        storyOf({
          strategy,
          lines: (await tradesOf(user, id)).map(guarding[strategy] ? withoutDecision : same),
          positions: [...positions],
          worth: shown?.equity ?? '',
          stops,
        }),
      )
    }
    return stories
  } finally {
    await world.close()
  }
}

async function tradesOf(user: TestUser, id: string): Promise<Line[]> {
  const lines: Line[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await user.call('listBotTrades', {
      params: { id },
      query: cursor === undefined ? {} : { cursor },
    })
    for (const {
      tradingPair,
      side,
      quantity,
      price,
      marketTime,
      venueFee,
      profit,
      reason,
    } of page.items) {
      lines.push({
        pair: tradingPair,
        side,
        quantity,
        price,
        time: marketTime,
        fee: venueFee,
        profit: profit ?? unitsToDecimal(0n, 8),
        reason,
      })
    }
    cursor = page.nextCursor
  }
  return lines.toReversed()
}

const same = (line: Line): Line => line

/**
 * Removes the reason of purchases. After a restart the backtest gives the decision in force, and
 * the engine that of the last hour, with the same exposure.
 */
const withoutDecision = (line: Line): Line => (line.side === 'buy' ? { ...line, reason: '' } : line)

const entriesOf = (plan: Plan) => Object.entries(plan) as [StrategyKey, Pair[]][]

/**
 * Sales of a guard that were not made at the price of the hour in which it was reached, though the
 * pair had one.
 */
async function soldInTheHour(world: World, id: string): Promise<number> {
  const [row] = await world.context.sql<{ late: number }[]>`
    select count(*)::integer as late
      from bot_stops o join sleeve_stays y on y.bot_id = o.bot_id join pool_changes c
           on c.pool = y.pool and c.number = y.left_with
     where o.bot_id = ${id} and c.kind = 'leave' and c.market_time > o.at
       and (o.ended_at is null or c.market_time <= o.ended_at)`
  return row?.late ?? 0
}

function backtestAll(
  plan: Plan,
  {
    guarding = {},
    toMs = TO_MS,
    yieldBps = 0,
  }: { guarding?: Guarding; toMs?: number; yieldBps?: number } = {},
): Story[] {
  const candles = openCandles(feed)
  return entriesOf(plan).map(([strategy, pairs]) => {
    const feeBps = feeBpsOf(choiceOf(strategy).strategy, { holdFeeBps: 0 })
    const result = backtest({
      strategy,
      markets: pairs.map((pair) => ({ pair, series: candles.until(pair, toMs) })),
      invested: decimalToUnits(INVESTED),
      fromMs: FROM_MS,
      toMs: toMs + HOUR_MS,
      costs: VENUE_COSTS.binance,
      feeBps,
      yieldBps,
      guards: checkGuards(guarding[strategy]),
    })
    const positions = result.portfolio.positions.map(({ cash, base, appliedBps }) => ({
      cash,
      base,
      appliedBps,
    }))
    return storyOf({
      strategy,
      lines: result.trades.map(lineOf).map(guarding[strategy] ? withoutDecision : same),
      positions,
      worth: unitsToDecimal(worthAtOpen(result, { pairs, feeBps, toMs }), 2),
      stops: result.stops.map(({ guard, timeMs, changeBps, endedMs }) => ({
        guard,
        at: timeMs,
        changeBps,
        ended: endedMs,
      })),
    })
  })
}

/**
 * The return of closing at the last open, which is the engine's current price. The backtest itself
 * ends at the close of its candle.
 */
function worthAtOpen(
  { portfolio, invested }: BacktestResult,
  { pairs, feeBps, toMs }: { pairs: readonly Pair[]; feeBps: number; toMs: number },
): bigint {
  const candles = openCandles(feed)
  const inOrder = PAIRS.filter((pair) => pairs.includes(pair))
  const gross = portfolio.positions.reduce((sum, position, index) => {
    const series = candles.until(inOrder[index] ?? 'BTC/USDT', toMs + HOUR_MS)
    return sum + equityOf({ position, price: priceAt(series.open, series.length - 1) })
  }, 0n)
  return gross - closingFee({ invested, out: gross, feeBps }).fee
}

function lineOf({
  pair,
  side,
  quantity,
  price,
  timeMs,
  fee,
  profit,
  reason,
}: BacktestResult['trades'][number]): Line {
  const money = { fee: unitsToDecimal(fee, 8), profit: unitsToDecimal(profit, 8) }
  return {
    pair,
    side,
    quantity: unitsToDecimal(quantity, 8),
    price: unitsToDecimal(price, 8),
    time: new Date(timeMs).toISOString(),
    ...money,
    reason: inEnglish(reasonOfTrade({ reason, pair }, side)),
  }
}

function storyOf({
  strategy,
  lines,
  positions,
  worth,
  stops,
}: Omit<Story, 'hash' | 'trades'> & { lines: Line[] }): Story {
  expect(lines.length).toBeGreaterThan(strategy.startsWith('trend') ? 5 : 0)
  const hash = createHash('sha256').update(JSON.stringify(lines)).digest('hex')
  return { strategy, hash, trades: lines.length, positions, worth, stops }
}

/** Every third order fails once, alternately before and after the venue executes it. */
function stumblingVenue(): Venue & { stumbles: () => number } {
  const venue = paperVenue(VENUE_COSTS.binance)
  let orders = 0
  let stumbles = 0
  return {
    ...venue,
    name: 'stumbling',
    stumbles: () => stumbles,
    execute: async (order, lead) => {
      orders += 1
      const fails = orders % 3 === 0
      if (fails) stumbles += 1
      if (fails && stumbles % 2 === 0) throw new Error('the venue is unavailable')
      const fill = await venue.execute(order, lead)
      if (fails) throw new Error('the response of the venue was lost')
      return fill
    },
  }
}

/**
 * Advances in uneven steps, each followed by a new engine; after a fault, the same engine continues
 * at every other step.
 */
async function stumbleOn(world: World, toMs = TO_MS): Promise<void> {
  for (let step = 1; world.engine.nowMs() < toMs; step += 1) {
    const hours = Math.min((step * 37) % 211, (toMs - world.engine.nowMs()) / HOUR_MS)
    const stood = await world.hours(hours).then(
      () => true,
      () => false,
    )
    if (stood || step % 2 === 0) await restart(world)
  }
}

/** Retries, because starting may fail too, while the engine takes the lead. */
async function restart(world: World): Promise<void> {
  const leads = await world.restartEngine().then(
    () => true,
    () => false,
  )
  if (!leads) await restart(world)
}
