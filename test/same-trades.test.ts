import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { priceAt } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { backtest, type BacktestResult } from '#core/strategy/backtest.ts'
import { feeBpsOf } from '#core/strategy/fee-of-bot.ts'
import { choiceOf, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { DEFAULT_COSTS } from '#core/trading/costs.ts'
import { closingFee } from '#core/trading/fee.ts'
import { equityOf, type Position } from '#core/trading/position.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { openCandles } from '#server/market/candle-cache.ts'
import { replayFeed } from '#server/market/feed-replay.ts'
import type { Feed } from '#server/ports/feed.ts'
import type { Venue } from '#server/ports/venue.ts'
import { paperVenue } from '#server/trading/venue-paper.ts'
import { lengthOf } from './length.ts'
import { createWorld, type TestUser, type World } from './world.ts'

/** Three months with rises, falls, and an hour in which the exchange was down (24 March 2023). */
const FROM_MS = Date.UTC(2023, 0, 30)
const TO_MS = Date.UTC(2023, 3, 30)
const INVESTED = '1000'

type Plan = Partial<Record<StrategyKey, Pair[]>>

/** Yearly interest on idle cash, in basis points, in the worlds of half the plans. */
const YIELD_BPS = 437

/** No two bots share a pair: each founds its own pools and is alone in its blocks, so its trades equal the fills. */
const PLANS: readonly Plan[] = [
  { 'trend-conservative': ['BTC/USDT', 'ETH/USDT'], 'trend-moderate': ['XRP/USDT', 'SOL/USDT'], 'trend-aggressive': ['BNB/USDT'] },
  { hold: ['BTC/USDT', 'XRP/USDT'], 'balanced-conservative': ['SOL/USDT', 'ETH/USDT'], 'balanced-aggressive': ['BNB/USDT'] },
  { 'trend-conservative': ['BNB/USDT'], 'trend-moderate': ['BTC/USDT'], 'trend-aggressive': ['SOL/USDT', 'ETH/USDT', 'XRP/USDT'] },
  { hold: ['ETH/USDT'], 'balanced-moderate': ['BTC/USDT', 'SOL/USDT', 'XRP/USDT'], 'trend-moderate': ['BNB/USDT'] },
]

let feed: Feed
beforeAll(() => {
  const directory = process.env['MARKET_DATA_DIR'] ?? resolve(import.meta.dirname, '../../shared/market')
  feed = replayFeed({ directory, startMs: FROM_MS, nowMs: Date.now() })
})

const named = PLANS.map((plan, which) => [Object.keys(plan).join(', '), which % 2 === 0 ? YIELD_BPS : 0, plan] as const)
const settings = (yieldBps: number) => ({ CASH_YIELD_BPS: yieldBps, CASH_YIELD_SOURCE: 'a test' })

describe.each(named)('bots of %s with %i basis points on idle cash', (_strategies, yieldBps, plan) => {
  test('trade the same in the backtest and in the engine', async () => {
    const world = await createWorld({ feed, config: settings(yieldBps) })
    const traded = await tradeAll(world, { plan, run: () => world.hours((TO_MS - FROM_MS) / HOUR_MS) })
    expect(traded).toEqual(backtestAll(plan, yieldBps))
  })
})

describe.each(named.slice(0, lengthOf({ usual: 2, full: PLANS.length })))('bots of %s with %i basis points on idle cash', (_strategies, yieldBps, plan) => {
  test('trade the same if the engine crashes repeatedly, also between planning a block and settling it', async () => {
    const venue = stumblingVenue()
    const world = await createWorld({ feed, config: settings(yieldBps), context: { venue } })
    const traded = await tradeAll(world, { plan, run: () => stumbleOn(world) })
    expect(traded).toEqual(backtestAll(plan, yieldBps))
    expect(venue.stumbles()).toBeGreaterThan(2)
  })
})

/** The trades of a bot as one hash, and its final positions. */
type Story = { strategy: string; hash: string; trades: number; positions: readonly Held[]; worth: string }
type Held = Pick<Position, 'cash' | 'base' | 'appliedBps'>
type Line = { pair: string; side: string; quantity: string; price: string; time: string; fee: string; profit: string; reason: string }

async function tradeAll(world: World, { plan, run }: { plan: Plan; run: () => Promise<void> }): Promise<Story[]> {
  try {
    const user = await world.user()
    await user.deposit('5000')
    const bots: { strategy: StrategyKey; id: string }[] = []
    for (const [strategy, tradingPairs] of entriesOf(plan)) {
      const bot = await user.call('createBot', { body: { name: strategy, ...choiceOf(strategy), tradingPairs, investmentAmount: INVESTED } })
      bots.push({ strategy, id: bot.id })
    }
    await run()
    expect(world.engine.nowMs()).toBe(TO_MS)
    expect(await reconcile(world.context.sql)).toEqual([])
    const stories: Story[] = []
    for (const { strategy, id } of bots) {
      const positions = await world.context.sql<Held[]>`
        select p.cash, p.base, p.applied_bps from sleeves s join pools p on p.id = s.pool where s.bot_id = ${id} order by array_position(${PAIRS}, p.pair)`
      const [shown] = (await user.call('listBots')).filter((bot) => bot.id === id)
      stories.push(storyOf({ strategy, lines: await tradesOf(user, id), positions: [...positions], worth: shown?.equity ?? '' }))
    }
    return stories
  } finally {
    await world.close()
  }
}

async function tradesOf(user: TestUser, id: string): Promise<Line[]> {
  const lines: Line[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await user.call('listBotTrades', { params: { id }, query: cursor === undefined ? {} : { cursor } })
    for (const { tradingPair, side, quantity, price, marketTime, venueFee, profit, reason } of page.items) {
      lines.push({ pair: tradingPair, side, quantity, price, time: marketTime, fee: venueFee, profit: profit ?? unitsToDecimal(0n, 8), reason })
    }
    cursor = page.nextCursor
  }
  return lines.toReversed()
}

const entriesOf = (plan: Plan) => Object.entries(plan) as [StrategyKey, Pair[]][]

function backtestAll(plan: Plan, yieldBps: number): Story[] {
  const candles = openCandles(feed)
  return entriesOf(plan).map(([strategy, pairs]) => {
    const feeBps = feeBpsOf(choiceOf(strategy).strategy, { holdFeeBps: 0 })
    const result = backtest({
      strategy,
      markets: pairs.map((pair) => ({ pair, series: candles.until(pair, TO_MS) })),
      invested: decimalToUnits(INVESTED),
      fromMs: FROM_MS,
      toMs: TO_MS + HOUR_MS,
      costs: DEFAULT_COSTS,
      feeBps,
      yieldBps,
    })
    const positions = result.portfolio.positions.map(({ cash, base, appliedBps }) => ({ cash, base, appliedBps }))
    return storyOf({ strategy, lines: result.trades.map(lineOf), positions, worth: unitsToDecimal(worthAtOpen(result, { pairs, feeBps }), 2) })
  })
}

/** The return of closing at the last open, which is the engine's current price. The backtest itself ends at the close of its candle. */
function worthAtOpen({ portfolio, invested }: BacktestResult, { pairs, feeBps }: { pairs: readonly Pair[]; feeBps: number }): bigint {
  const candles = openCandles(feed)
  const inOrder = PAIRS.filter((pair) => pairs.includes(pair))
  const gross = portfolio.positions.reduce((sum, position, index) => {
    const series = candles.until(inOrder[index] ?? 'BTC/USDT', TO_MS + HOUR_MS)
    return sum + equityOf({ position, price: priceAt(series.open, series.length - 1) })
  }, 0n)
  return gross - closingFee({ invested, out: gross, feeBps }).fee
}

function lineOf({ pair, side, quantity, price, timeMs, fee, profit, reason }: BacktestResult['trades'][number]): Line {
  const money = { fee: unitsToDecimal(fee, 8), profit: unitsToDecimal(profit, 8) }
  return { pair, side, quantity: unitsToDecimal(quantity, 8), price: unitsToDecimal(price, 8), time: new Date(timeMs).toISOString(), ...money, reason }
}

function storyOf({ strategy, lines, positions, worth }: Omit<Story, 'hash' | 'trades'> & { lines: Line[] }): Story {
  expect(lines.length).toBeGreaterThan(strategy.startsWith('trend') ? 5 : 0)
  const hash = createHash('sha256').update(JSON.stringify(lines)).digest('hex')
  return { strategy, hash, trades: lines.length, positions, worth }
}

/** Every third order fails once, alternately before and after the venue executes it. */
function stumblingVenue(): Venue & { stumbles: () => number } {
  const venue = paperVenue(DEFAULT_COSTS)
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

/** Advances in uneven steps, each followed by a new engine; after a fault, the same engine continues at every other step. */
async function stumbleOn(world: World): Promise<void> {
  for (let step = 1; world.engine.nowMs() < TO_MS; step += 1) {
    const hours = Math.min((step * 37) % 211, (TO_MS - world.engine.nowMs()) / HOUR_MS)
    const stood = await world.hours(hours).then(() => true, () => false)
    if (stood || step % 2 === 0) await restart(world)
  }
}

/** Starting may fail too, while the engine takes the lead; then another one tries. */
async function restart(world: World): Promise<void> {
  const leads = await world.restartEngine().then(() => true, () => false)
  if (!leads) await restart(world)
}
