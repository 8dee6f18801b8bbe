import { describe, onTestFinished, expect, test } from 'vitest'
import { createWorld, feedOfSeed, type World } from '../../../test/world/world.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { readBotsInterest } from '#server/holdings/derived-trades.ts'
import { readInterest } from '#server/ledger/read.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { readBookTotals } from '#server/ledger/sealed-rows.ts'
import type { Venue } from '#server/ports/venue.ts'
import { payInterest } from './pay-interest.ts'
import { paperVenue } from './venue-paper.ts'

const FEED = feedOfSeed(7)
const COSTS = { feeBps: 10, halfSpreadBps: 2, slippageBps: 3 }
const PAIR = 'BTC/USDT'

async function openBook(venue: Venue): Promise<World> {
  const world = await createWorld({ feed: FEED, context: { venue } })
  onTestFinished(() => world.close())
  await invest(world, '5000')
  await world.hours(1)
  return world
}

async function invest(world: World, investmentAmount: string): Promise<void> {
  const user = await world.user()
  await user.deposit(investmentAmount)
  await user.call('createBot', {
    body: { name: 'Bot', riskLevel: 'aggressive', tradingPairs: [PAIR], investmentAmount },
  })
}

async function tradesOf({ context: { sql } }: World): Promise<number[]> {
  const rows = await sql<{ at: Date }[]>`
    select c.market_time as at from pool_changes c join pools p on p.id = c.pool
     where p.pair = ${PAIR} and c.kind = 'trade' order by c.id`
  return rows.map(({ at }) => at.getTime())
}

test("a lot refused just before a whole hour does not delay the strategy's trade", async () => {
  const alone = await openBook(paperVenue(COSTS))
  await alone.hours(24 * 20)
  const tradeMs = (await tradesOf(alone)).at(-1) ?? 0
  expect(tradeMs % HOUR_MS).toBe(0)

  let isClosed = false
  const paper = paperVenue(COSTS)
  const world = await openBook({
    ...paper,
    accepts: async (order) => (isClosed ? 'closed' : paper.accepts(order)),
  })
  await world.engine.advanceTo(tradeMs - 30_000)
  isClosed = true
  await invest(world, '50')
  await world.serve()
  isClosed = false
  await world.engine.advanceTo(tradeMs)
  expect(await tradesOf(world)).toContain(tradeMs)
})

describe('interest on idle cash', () => {
  const config = { CASH_YIELD_BPS: 400, CASH_YIELD_SOURCE: 'Treasury bills of a test' }

  async function openEarning(overrides: Parameters<typeof createWorld>[0] = {}): Promise<World> {
    const world = await createWorld({ feed: FEED, config, ...overrides })
    onTestFinished(() => world.close())
    return world
  }

  const paidAt = async ({ context: { sql } }: World) =>
    (
      await sql<
        { midnight: Date; amount: bigint }[]
      >`select midnight, amount from cash_yields order by midnight`
    ).map(({ midnight, amount }) => [midnight.toISOString().slice(0, 10), amount] as const)

  test('interest is paid once for each midnight, however often the engine dies', async () => {
    let isBroken = false
    const paper = paperVenue(COSTS)
    const execute: Venue['execute'] = (order, lead) =>
      isBroken ? Promise.reject(new Error('the venue is down')) : paper.execute(order, lead)
    const world = await openEarning({ context: { venue: { ...paper, execute } } })
    await invest(world, '5000')
    await world.hours(20)
    for (let hour = 0; hour < 60; hour += 3) {
      isBroken = hour % 2 === 0
      await world.hours(3).catch(() => undefined)
      await world.restartEngine().catch(() => undefined)
    }
    isBroken = false
    await world.restartEngine()
    await world.hours(80 - (world.engine.nowMs() - FEED.beginMs(0)) / HOUR_MS)
    const paid = await paidAt(world)
    expect(paid.map(([day]) => day)).toEqual(['2025-01-02', '2025-01-03', '2025-01-04'])
    expect(paid.every(([, amount]) => amount > 0n)).toBe(true)
    const { paid: booked } = await readInterest(world.context.sql)
    expect(booked).toBe(paid.reduce((sum, [, amount]) => sum + amount, 0n))
    expect(await reconcile(world.context)).toEqual([])
  })

  test('interest is paid once for midnights that passed while no engine ran', async () => {
    const world = await openEarning()
    await invest(world, '5000')
    await world.hours(2)
    const { sql } = world.context
    const day = (count: number) => Date.UTC(2025, 0, count)
    const before = await readBookTotals(sql)
    await world.context.atomically((tx) =>
      payInterest(world.context, tx, { fromMs: day(1) + 1, toMs: day(4) }),
    )
    const [first = 0n, second = 0n, third = 0n] = (await paidAt(world)).map(([, amount]) => amount)
    expect(first > 0n && second >= first && third >= second).toBe(true)
    // The book must cover a payout of the interest.
    expect((await readBookTotals(sql)).traded - before.traded).toBe(first + second + third)
    await expect(
      world.context.atomically((tx) =>
        payInterest(world.context, tx, { fromMs: day(3), toMs: day(4) }),
      ),
    ).rejects.toThrow('cash_yields_pkey')
    expect(await reconcile(world.context)).toEqual([])
  })

  test("interest is part of the bot's result; without a rate nothing is paid", async () => {
    const world = await openEarning({ asApp: true })
    const user = await world.user()
    await user.deposit('5000')
    const { id } = await user.call('createBot', {
      body: {
        name: 'Bot',
        strategy: 'balanced',
        riskLevel: 'conservative',
        tradingPairs: [PAIR],
        investmentAmount: '4000',
      },
    })
    await world.hours(24 * 3)
    const { interest, tradeCount } = await user.call('getBotPerformance', { params: { id } })
    // About three quarters of 4,000 dollars at 4 % a year, for three days.
    expect(Number(interest)).toBeCloseTo((3_000 * 0.04 * 3) / 365, 1)
    const history = await user.call('listTransactions', { query: {} })
    expect(history.items.length).toBe(tradeCount + 2)
    const listed = await readBotsInterest(world.context.sql, { userId: user.id, botId: id })
    expect(
      listed.map(({ botId, change }) => [
        botId,
        change.pair,
        change.marketTime.toISOString().slice(0, 10),
      ]),
    ).toEqual(['2025-01-02', '2025-01-03', '2025-01-04'].map((day) => [id, PAIR, day]))
    expect(
      unitsToDecimal(
        listed.reduce((sum, { amount }) => sum + amount, 0n),
        2,
      ),
    ).toBe(interest)
    world.context.config.CASH_YIELD_BPS = 0
    await world.hours(24 * 2)
    expect(await paidAt(world)).toHaveLength(3)
    expect((await user.call('getBotPerformance', { params: { id } })).interest).toBe(interest)
    await user.call('deleteBot', { params: { id } })
    await world.serve()
    expect(await reconcile(world.context)).toEqual([])
  })
})
