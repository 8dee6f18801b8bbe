import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedPool, TrackRecord } from '#contract/track-record.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { countBefore, priceAt } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { worthOf } from '#core/pool/pool.ts'
import { standingOf } from '#core/record/follow-pool.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { STRATEGY_KEYS, strategyKey, type StrategyChoice } from '#core/strategy/strategy-key.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import type { RecordKeeper } from '#server/ports/record.ts'
import type { Venue } from '#server/ports/venue.ts'
import { keepRecord } from './keep-record.ts'
import { paperVenue } from '#server/trading/venue-paper.ts'
import { invest, openFloor } from '../../../test/world/floor.ts'
import {
  createWorld,
  type TestUser,
  type World,
  type WorldOptions,
} from '../../../test/world/world.ts'

const PAIRS: Pair[] = ['BTC/USDT', 'ETH/USDT']
const PATIENCE_MS = 60_000

const BALANCED: StrategyChoice = { strategy: 'balanced', riskLevel: 'moderate' }
const HOLD: StrategyChoice = { strategy: 'hold', riskLevel: 'aggressive' }

type Figures = Extract<TrackRecord, { state: 'figures' }>

/** A keeper that follows at every request, from the beginning of the book. */
const keeperOf = ({ context }: World): RecordKeeper => keepRecord({ ...context, restFactor: 0 })

/** A world whose record is always up to date. */
async function openWorld(venue?: Venue, config: WorldOptions['config'] = {}): Promise<World> {
  const world = await createWorld({ config, ...(venue && { context: { venue } }) })
  world.context.record = keeperOf(world)
  return world
}

async function recordOf(world: World): Promise<Figures> {
  const record = await world.stranger().call('getTrackRecord')
  if (record.state !== 'figures') throw new Error(record.sentence)
  return record
}

const strategyOf = (record: Figures, name = 'trend-aggressive') => {
  const found = record.strategies.find(({ strategy }) => strategy === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

async function investorOf(world: World): Promise<TestUser> {
  const user = await world.user()
  await user.deposit('1000')
  return user
}

const createBot = (
  user: TestUser,
  { strategy, riskLevel }: StrategyChoice = { strategy: 'trend', riskLevel: 'aggressive' },
) =>
  user.call('createBot', {
    body: { name: 'Bot', strategy, riskLevel, tradingPairs: PAIRS, investmentAmount: '200' },
  })

const tenths = (text: string | undefined) => decimalToUnits(text ?? '0') / 10_000_000n

function expectToAddUp({ gap }: Pick<RecordedPool, 'gap'>): void {
  expect(gap).not.toBeNull()
  if (gap)
    expect(
      tenths(gap.fee) +
        tenths(gap.spread) +
        tenths(gap.delay) +
        tenths(gap.missed) +
        tenths(gap.interest) +
        tenths(gap.rounding),
    ).toBe(tenths(gap.total))
}

describe('a paper book', () => {
  let world: World
  let user: TestUser
  let botId: string

  beforeAll(async () => {
    world = await openWorld()
    user = await investorOf(world)
  })
  afterAll(() => world.close())

  test('a new book lists every strategy and pool, without any result', async () => {
    const record = await recordOf(world)
    expect(record).toMatchObject({ isPaper: true, market: 'Simulated market', from: record.to })
    expect(
      record.strategies.map(({ strategy, real, backtest, pools }) => [
        strategy,
        real,
        backtest,
        pools.length,
      ]),
    ).toEqual(STRATEGY_KEYS.map((strategy) => [strategy, '0.00', '0.00', 12]))
    expect(
      new Set(record.strategies.flatMap(({ pools }) => pools.map(({ state }) => state))),
    ).toEqual(new Set(['never']))
  })

  test('equals its backtest, to a tenth of a basis point', async () => {
    botId = (await createBot(user)).id
    const others = [strategyKey(HOLD), strategyKey(BALANCED)]
    for (const choice of [HOLD, BALANCED]) await createBot(user, choice)
    await world.hours(40 * 24)
    const record = await recordOf(world)
    // If the book starts at midnight, its 40 days contain one midnight less.
    const midnights =
      Math.ceil(Date.parse(record.to) / DAY_MS) - 1 - Math.floor(Date.parse(record.from) / DAY_MS)
    for (const strategy of ['trend-aggressive', ...others].map((name) =>
      strategyOf(record, name),
    )) {
      expect(strategy.real).not.toBe('0.00')
      expect(strategy.backtest).toBe(strategy.real)
      for (const part of [strategy, ...strategy.pools]) {
        expectToAddUp(part)
        expect(
          Object.values(part.gap ?? {})
            .map((bps) => Math.abs(Number(bps)))
            .filter((bps) => bps > 0.1),
        ).toEqual([])
      }
      expect(
        strategy.pools.filter(({ state }) => state === 'open').map(({ pair }) => pair),
      ).toEqual(PAIRS)
      expect(strategy.curve.length).toBe(midnights + 2)
      expect(strategy.curve.at(-1)?.real).toBe(strategy.real)
    }
  })

  test("values a unit like the bot's share at the last close", async () => {
    const record = await keeperOf(world).soon(PATIENCE_MS)
    if (!record || record === 'failed') throw new Error('no record')
    const { sql, candles } = world.context
    const sleeves = await sql<
      { pair: Pair; cash: bigint; base: bigint; all: string; units: string; strategy: string }[]
    >`
      select p.pair, p.strategy, p.cash, p.base, p.units as all, s.units from sleeves s join pools p
             on p.id = s.pool where s.bot_id = ${botId}`
    expect(sleeves.length).toBe(2)
    for (const { pair, strategy, cash, base, all, units } of sleeves) {
      const series = candles.until(pair, record.untilMs)
      const price = priceAt(series.close, countBefore(series, record.untilMs) - 1)
      const worth = worthOf(
        { cash, base, units: BigInt(all), appliedBps: 0 },
        { units: BigInt(units), price },
      )
      const pool = record.pools.find((one) => one.pair === pair && one.strategy === strategy)
      if (!pool) throw new Error('no pool')
      // Trades of this hour, at its open, are not in the record yet.
      const [late] = await sql`select from pool_changes where pool = ${pool.id}
          and market_time >= ${new Date(record.untilMs)}`
      if (!late)
        expect(standingOf(pool.followed).real).toBeCloseTo(
          Number(worth) / Number(decimalToUnits('100')),
          6,
        )
    }
  })

  test('the record is the same if followed hourly, across crashes, or once', async () => {
    const followed = keeperOf(world)
    for (const hours of [1, 30, 5, 200]) {
      await world.hours(hours)
      await followed.soon(PATIENCE_MS)
      await world.restartEngine()
    }
    expect(await followed.soon(PATIENCE_MS)).toEqual(await keeperOf(world).soon(PATIENCE_MS))
  })

  test('contains nothing about amounts or people', async () => {
    const before = JSON.stringify((await recordOf(world)).strategies)
    const other = await investorOf(world)
    await createBot(other)
    await world.serve()
    expect(JSON.stringify((await recordOf(world)).strategies)).toBe(before)
  })

  test('the record keeps the result of an emptied pool, and links it to later ones', async () => {
    for (const { id } of (await user.call('listBots')).filter(({ status }) => status === 'active'))
      await user.call('deleteBot', { params: { id } })
    const [other] = await world.context.sql<
      { userId: string }[]
    >`select user_id from trading_bots where status = 'active'`
    expect(other).toBeDefined()
    await world.context.sql`update trading_bots set status = 'closing' where status = 'active'`
    await world.hours(3)
    const left = strategyOf(await recordOf(world))
    expect(left.pools.filter(({ state }) => state === 'empty').map(({ pair }) => pair)).toEqual(
      PAIRS,
    )
    await world.hours(48)
    const later = strategyOf(await recordOf(world))
    expect([later.real, later.backtest, later.gap]).toEqual([left.real, left.backtest, left.gap])
    await createBot(user)
    await world.hours(20 * 24)
    const again = strategyOf(await recordOf(world))
    expect(again.pools.filter(({ state }) => state === 'open').map(({ pair }) => pair)).toEqual(
      PAIRS,
    )
    expectToAddUp(again)
    expect(Math.abs(Number(again.gap?.total))).toBeLessThan(0.2)
    expect(await reconcile(world.context)).toEqual([])
  })
})

/**
 * A venue that fills some orders in part, at better prices and a lower fee than orders are sized
 * for, as an exchange may.
 */
function kindVenue(): Venue {
  let orders = 0
  return {
    ...paperVenue(VENUE_COSTS.binance),
    execute: async (order) => {
      orders += 1
      const isFullyFilled = orders % 3 !== 0
      const quantity = isFullyFilled ? order.quantity : order.quantity / 2n
      return {
        ...paperFill({
          ...order,
          quantity,
          costs: { feeBps: 4, halfSpreadBps: 1, slippageBps: 1 },
        }),
        isFullyFilled,
      }
    },
  }
}

test('if fills differ from the assumptions, the parts of the gap show why', async () => {
  const world = await openWorld(kindVenue())
  try {
    await createBot(await investorOf(world))
    await world.hours(60 * 24)
    const strategy = strategyOf(await recordOf(world))
    for (const part of [strategy, ...strategy.pools]) expectToAddUp(part)
    const { total, fee, spread, missed, rounding } = strategy.gap ?? {
      total: '0',
      fee: '0',
      spread: '0',
      missed: '0',
      rounding: '0',
    }
    expect(Number(fee)).toBeGreaterThan(2)
    expect(Number(spread)).toBeGreaterThan(2)
    expect(Number(total)).not.toBe(0)
    expect(Number(missed)).not.toBe(0)
    expect(Math.abs(Number(rounding))).toBeLessThan(0.3)
  } finally {
    await world.close()
  }
})

test('at an exchange with a thin market, the gap shows the missed orders', async () => {
  const floor = await openFloor()
  const { world } = floor
  world.context.record = keeperOf(world)
  await invest(floor, { amount: '3000', pairs: PAIRS })
  floor.orders.setDepth(3_300)
  for (let hour = 0; hour < 12; hour += 1) await floor.hour()
  const used = (await recordOf(world)).strategies.flatMap(({ pools }) =>
    pools.filter(({ state }) => state === 'open'),
  )
  expect(used.length).toBeGreaterThan(0)
  for (const pool of used) expectToAddUp(pool)
  expect(used.some(({ gap }) => Math.abs(Number(gap?.missed)) >= 1)).toBe(true)
})

test('a book that pays interest: the backtest earns the same, with cash beside it', async () => {
  const world = await openWorld(undefined, { CASH_YIELD_BPS: 1_200, CASH_YIELD_SOURCE: 'a test' })
  try {
    await createBot(await investorOf(world), BALANCED)
    await world.hours(24 * 6)
    const before = await recordOf(world)
    const strategy = strategyOf(before, strategyKey(BALANCED))
    expectToAddUp(strategy)
    expect(Math.abs(Number(strategy.gap?.interest))).toBeLessThan(0.2)
    expect(Math.abs(Number(strategy.gap?.total) - Number(strategy.gap?.delay))).toBeLessThan(1)
    // Six days at 12 % a year.
    expect(before.cash.at(-1)?.percent).toBe('0.19')
    world.context.config.CASH_YIELD_BPS = 100
    await world.hours(24)
    const after = strategyOf(await recordOf(world), strategyKey(BALANCED))
    expect(after.curve.slice(0, 6)).toEqual(strategy.curve.slice(0, 6))
  } finally {
    await world.close()
  }
})
