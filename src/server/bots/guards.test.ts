import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import type { Venue } from '#server/ports/venue.ts'
import { paperVenue } from '#server/trading/venue-paper.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

/** Once armed, the next sale fails before or after the venue has executed it. */
function failingVenue(): Venue & { fail: (when: 'before' | 'after') => void } {
  const venue = paperVenue(VENUE_COSTS.binance)
  let next: 'before' | 'after' | undefined
  return {
    ...venue,
    fail: (when) => void (next = when),
    execute: async (order, lead) => {
      const when = order.side === 'sell' ? next : undefined
      if (when) next = undefined
      if (when === 'before') throw new Error('the venue is unavailable')
      const fill = await venue.execute(order, lead)
      if (when === 'after') throw new Error('the response of the venue was lost')
      return fill
    },
  }
}

const venue = failingVenue()
let world: World
let user: TestUser
beforeAll(async () => {
  world = await createWorld({ context: { venue } })
  user = await world.user()
  await user.deposit('5000')
})
afterAll(() => world.close())

const holding = (name: string, guards: object) =>
  user.call('createBot', {
    body: {
      name,
      strategy: 'hold',
      tradingPairs: ['BTC/USDT', 'ETH/USDT'],
      investmentAmount: '500',
      guards,
    },
  })

const botNow = async (id: string) => (await user.call('listBots')).find((bot) => bot.id === id)

/** Advances hour by hour until the bot is stopped, at most three weeks. */
async function untilStopped(id: string): Promise<void> {
  for (let hour = 0; hour < 500 && (await botNow(id))?.status !== 'stopped'; hour += 1)
    await world.hours(1).catch(() => world.restartEngine())
}

async function salesOf(id: string) {
  return world.context.sql<{ at: Date; soldAt: Date }[]>`
    select o.at, c.market_time as sold_at from bot_stops o
      join sleeve_stays y on y.bot_id = o.bot_id
      join pool_changes c on c.pool = y.pool and c.number = y.left_with and c.kind = 'leave'
       and c.quantity > 0
     where o.bot_id = ${id}`
}

describe.each(['before', 'after'] as const)(
  'a bot whose stop loss is reached, while the engine fails %s its sale',
  (when) => {
    test('the bot is sold once, in the hour of the trigger, and states the reason', async () => {
      const { id } = await holding(`Stop ${when}`, { stopLossPercent: 1 })
      await world.hours(1)
      venue.fail(when)
      await untilStopped(id)
      await world.hours(1).catch(() => world.restartEngine())
      const bot = await botNow(id)
      expect(bot).toMatchObject({
        status: 'stopped',
        isActive: false,
        stop: { guard: 'stop-loss', backAt: null, isSelling: false },
        closingFee: '0.00',
      })
      const sales = await salesOf(id)
      expect(sales.length).toBe(2)
      for (const { at, soldAt } of sales) expect(soldAt).toEqual(at)
      const { holdings } = await user.call('getBotPerformance', { params: { id } })
      expect(holdings.map(({ quantity }) => quantity)).toEqual(['0.00000000', '0.00000000'])
      const { items } = await user.call('listBotTrades', { params: { id } })
      const sold = items.filter(({ side }) => side === 'sell')
      expect(sold.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/^Stop loss reached: \d+\.\d\d% below its start\. Sold to cash\.$/),
        expect.stringMatching(/^Stop loss reached/),
      ])
      expect(
        (await user.call('getTransaction', { params: { id: sold[0]?.id } })).trade?.reason,
      ).toBe(sold[0]?.reason)
      const { body } = await world.app.inject({
        url: `${plainRoutes.trades}?bot=${id}`,
        headers: { cookie: user.cookie },
      })
      for (const one of sold) expect(body).toContain(`${one.id},${one.reason}`)
      expect(
        (await user.call('listNotices')).items.filter(({ kind }) => kind === 'stop-loss').length,
      ).toBeGreaterThan(0)
      expect(await reconcile(world.context)).toEqual([])
      await user.call('deleteBot', { params: { id } })
      await world.serve()
    })
  },
)

test('a stopped bot accepts money, refuses moves of coins, and can be resumed', async () => {
  const { id } = await holding('Resumed', { stopLossPercent: 1, stopLossFrom: 'best' })
  await untilStopped(id)
  await world.hours(1)
  expect(
    await user.ask('takeOutOfBot', { params: { id }, body: { percent: 50 }, key: 'take-stopped' }),
  ).toMatchObject({ status: 409, body: { code: 'bot-paused' } })
  expect(
    await user.ask('updateBot', { params: { id }, body: { tradingPairs: ['SOL/USDT'] } }),
  ).toMatchObject({ status: 409, body: { code: 'bot-paused' } })
  await user.call('topUpBot', { params: { id }, body: { amount: '100' }, key: 'top-up-stopped' })
  await world.hours(1)
  expect(await botNow(id)).toMatchObject({ status: 'stopped', investmentAmount: '600.00' })
  expect(await user.call('updateBot', { params: { id }, body: { isActive: true } })).toMatchObject({
    status: 'active',
    stop: null,
    doing: 'Waiting to buy at the next price.',
  })
  await world.serve()
  expect(await botNow(id)).toMatchObject({
    status: 'active',
    doing: null,
    coins: expect.stringMatching(/[1-9]/),
  })
  const [marks] = await world.context.sql<{ start: bigint; best: bigint; invested: bigint }[]>`
    select g.start, g.best, b.invested from bot_guards g join trading_bots b on b.id = g.bot_id
     where g.bot_id = ${id}`
  expect(marks?.start).not.toBe(marks?.invested)
  expect(marks?.best).toBe(marks?.start)
  await user.call('deleteBot', { params: { id } })
  await world.serve()
})

test('a bot restarts by itself after its cool-down', async () => {
  const { id } = await holding('Cool', {
    stopLossPercent: 1,
    stopLossFrom: 'best',
    coolDownDays: 1,
  })
  await untilStopped(id)
  const stop = (await botNow(id))?.stop
  expect(new Date(stop?.backAt ?? 0).getTime() - new Date(stop?.at ?? 0).getTime()).toBe(
    24 * 3_600_000,
  )
  await world.hours(23)
  expect(await botNow(id)).toMatchObject({ status: 'stopped' })
  await world.hours(1)
  expect(await botNow(id)).toMatchObject({
    status: 'active',
    stop: null,
    coins: expect.stringMatching(/[1-9]/),
  })
  await user.call('deleteBot', { params: { id } })
  await world.serve()
})

test('adding money and taking half out are neither a gain nor a loss', async () => {
  const { id } = await holding('Steady', {
    stopLossPercent: 40,
    stopLossFrom: 'best',
    takeProfitPercent: 60,
    dailyLossPercent: 30,
  })
  expect(await botNow(id)).toMatchObject({
    guardLevels: { stopLoss: '300.00', takeProfit: '800.00', dailyLoss: '350.00' },
  })
  await world.hours(1)
  await user.call('topUpBot', { params: { id }, body: { amount: '1000' }, key: 'top-up' })
  await world.hours(1)
  await user.call('takeOutOfBot', { params: { id }, body: { percent: 50 }, key: 'half' })
  await world.hours(1)
  await world.serve()
  await world.hours(1)
  expect(await botNow(id)).toMatchObject({
    status: 'active',
    takingOutPercent: null,
    investmentAmount: '750.00',
  })
  const [marks] = await world.context.sql<Record<'start' | 'best' | 'dayStart', bigint>[]>`
    select start, best, day_start from bot_guards where bot_id = ${id}`
  const percentOfMark = (mark: bigint | undefined, percent: bigint) =>
    unitsToDecimal(((mark ?? 0n) * percent) / 100n, 2)
  expect(marks?.best).toBeGreaterThan(marks?.start ?? 0n)
  expect((await botNow(id))?.guardLevels).toMatchObject({
    stopLoss: percentOfMark(marks?.best, 60n),
    dailyLoss: percentOfMark(marks?.dayStart, 70n),
  })
  await user.call('updateBot', { params: { id }, body: { isActive: false } })
  expect((await botNow(id))?.guardLevels).toBeNull()
})

describe('guards are refused', () => {
  test.each([
    [{ stopLossPercent: 0 }, 'guards.stopLossPercent', 'Enter a whole percentage from 1 to 90'],
    [
      { takeProfitPercent: 2.5 },
      'guards.takeProfitPercent',
      'Enter a whole percentage from 1 to 1000',
    ],
    [{ dailyLossPercent: 51 }, 'guards.dailyLossPercent', 'Enter a whole percentage from 1 to 50'],
    [
      { dailyLossPercent: 5, coolDownDays: 366 },
      'guards.coolDownDays',
      'Enter whole days from 1 to 365',
    ],
  ])('%j', async (guards, field, message) => {
    const body = { name: 'Refused', tradingPairs: ['BTC/USDT'], investmentAmount: '10', guards }
    expect(await user.ask('createBot', { body })).toMatchObject({
      status: 400,
      body: { code: 'invalid-input', field, message },
    })
  })

  test('guards are refused if the running bot has reached them already', async () => {
    const { id } = await user.call('createBot', {
      body: { name: 'Late', strategy: 'hold', tradingPairs: ['BTC/USDT'], investmentAmount: '100' },
    })
    for (
      let hour = 0;
      hour < 300 && Math.abs(Number((await botNow(id))?.totalReturn)) < 1.5;
      hour += 1
    )
      await world.hours(1)
    const [field, guards] =
      Number((await botNow(id))?.totalReturn) < 0
        ? ['stopLossPercent', { stopLossPercent: 1 }]
        : ['takeProfitPercent', { takeProfitPercent: 1 }]
    const answer = await user.ask('updateBot', { params: { id }, body: { guards } })
    expect(answer).toMatchObject({
      status: 400,
      body: { field, message: expect.stringContaining('it would stop at once') },
    })
    expect(
      await user.call('updateBot', { params: { id }, body: { guards: { stopLossPercent: 50 } } }),
    ).toMatchObject({ guards: { stopLossPercent: 50 } })
    expect(await user.call('updateBot', { params: { id }, body: { guards: null } })).toMatchObject({
      guards: null,
    })
  })
})
