import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Holding } from '#contract/bots.ts'
import type { Price } from '#contract/market.ts'
import { floorHour } from '#core/market/candle.ts'
import { baseOf } from '#core/market/pair.ts'
import { choiceOf, STRATEGY_KEYS, feeBpsOf, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { closingFee } from '#core/trading/performance-fee.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { createRisingWorld } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

const PAIRS = ['BTC/USDT', 'XRP/USDT']

let world: World
let ada: TestUser
const ids = new Map<StrategyKey, string>()
beforeAll(async () => {
  world = await createRisingWorld()
  ada = await world.user('ada')
  await ada.deposit('5000')
  for (const strategy of STRATEGY_KEYS)
    ids.set(strategy, (await create({ name: strategy, ...choiceOf(strategy) })).id)
  await world.hours(170)
})
afterAll(() => world.close())

const create = (body: object) =>
  ada.call('createBot', { body: { tradingPairs: PAIRS, investmentAmount: '400', ...body } })
const botOf = async (key: StrategyKey) =>
  (await ada.call('listBots')).find(({ id }) => id === ids.get(key))
const tradesOf = async (key: StrategyKey) =>
  (await ada.call('listBotTrades', { params: { id: ids.get(key) }, query: {} })).items.toReversed()
const holdingsOf = async (id: string | undefined) =>
  (await ada.call('getBotPerformance', { params: { id } })).holdings
const fullHour = (at: string) => new Date(floorHour(Date.parse(at))).toISOString()
const inCoins = async (key: StrategyKey) =>
  (await holdingsOf(ids.get(key))).map(({ cash, value }) =>
    Math.round((100 * Number(value)) / (Number(cash) + Number(value))),
  )

test('a hold bot buys once and keeps everything in coins', async () => {
  expect(await botOf('hold')).toMatchObject({
    strategy: 'hold',
    riskLevel: 'aggressive',
    feeBps: 0,
    doing: null,
  })
  expect(
    (await tradesOf('hold')).map(({ side, tradingPair, reason }) => [side, tradingPair, reason]),
  ).toEqual(PAIRS.map((pair) => ['buy', pair, 'Bought to hold']))
  expect(await inCoins('hold')).toEqual([100, 100])
})

test('balanced bots sell after a rise, down to their share', async () => {
  for (const [key, percent] of [
    ['balanced-conservative', 25],
    ['balanced-moderate', 50],
    ['balanced-aggressive', 75],
  ] as const) {
    const [first, ...later] = (await tradesOf(key)).filter(
      ({ tradingPair }) => tradingPair === 'BTC/USDT',
    )
    expect([first?.side, first?.reason]).toEqual([
      'buy',
      `${percent}% is kept in coins, the rest in cash`,
    ])
    if (percent === 50) expect(later.length).toBeGreaterThan(0)
    for (const { side, reason } of later)
      expect([side, reason]).toEqual([
        'sell',
        `Coins were ${percent + 5}% of the money: back to ${percent}%`,
      ])
    for (const part of await inCoins(key)) expect(Math.abs(part - percent)).toBeLessThanOrEqual(5)
  }
})

test('each decision states the next price that matters, even if it changed nothing', async () => {
  for (let hour = 0; hour < 2; hour += 1) {
    await world.hours(1)
    const prices = await ada.call('getPrices')
    for (const [key, id] of ids)
      for (const holding of await holdingsOf(id))
        expectNext(key, holding, prices[baseOf(holding.pair)] ?? { at: '', price: '' })
  }
})

function expectNext(
  key: StrategyKey,
  { next, wantedPercent }: Holding,
  { at, price }: Pick<Price, 'at' | 'price'>,
) {
  if (key === 'hold') {
    expect(next).toBeNull()
    return
  }
  expect(next).toMatchObject({ lookedAt: fullHour(at), percent: Number(wantedPercent) })
  expect(next?.trends.length).toBe(key.startsWith('trend') ? 4 : 0)
  expect(Number(next?.below?.price)).toBeLessThan(Number(price))
  if (key.startsWith('balanced')) expect(Number(next?.above?.price)).toBeGreaterThan(Number(price))
}

test("a new bot joins its strategy's pool at the pool's mix, without a trade", async () => {
  const { sql } = world.context
  const trades = () =>
    sql<{ count: number }[]>`select count(*)::integer from pool_changes where kind = 'trade'`.then(
      ([row]) => row?.count,
    )
  const before = await trades()
  await create({ name: 'Second', strategy: 'balanced', riskLevel: 'moderate' })
  for (let round = 0; round < 3; round += 1) await world.serve()
  expect(await trades()).toBe(before)
  const [shared] = await sql<
    { bots: number }[]
  >`select count(distinct bot_id)::integer as bots from sleeves s join pools p on p.id = s.pool
    where p.strategy = 'balanced-moderate' and s.units > 0`
  expect(shared?.bots).toBe(2)
})

test('bots of every kind can be topped up, taken out of, paused and resumed', async () => {
  for (const id of ids.values()) {
    await ada.call('topUpBot', { params: { id }, body: { amount: '40' } })
    for (let round = 0; round < 3; round += 1) await world.serve()
    await ada.call('takeOutOfBot', { params: { id }, body: { percent: 25 } })
    for (let round = 0; round < 3; round += 1) await world.serve()
    await ada.call('updateBot', { params: { id }, body: { isActive: false } })
  }
  await world.hours(3)
  for (const id of ids.values()) {
    expect((await holdingsOf(id)).map(({ next }) => next)).toEqual(PAIRS.map(() => null))
    await ada.call('updateBot', { params: { id }, body: { isActive: true } })
  }
  await world.hours(3)
  for (const bot of (await ada.call('listBots')).filter(({ id }) =>
    [...ids.values()].includes(id),
  )) {
    expect(bot).toMatchObject({
      status: 'active',
      takingOutPercent: null,
      investmentAmount: '330.00',
    })
    expect(Number(bot.totalProfit)).toBeGreaterThan(0)
  }
  expect(await reconcile(world.context)).toEqual([])
})

test('closing charges the fee of the kind: none on a hold bot', async () => {
  const { sql } = world.context
  const before = await ada.call('listBots')
  for (const key of ['hold', 'balanced-moderate', 'trend-moderate'] as const) {
    const id = ids.get(key) ?? ''
    expect(Number(before.find((bot) => bot.id === id)?.closingFee) > 0).toBe(key !== 'hold')
    await ada.call('deleteBot', { params: { id } })
  }
  await world.hours(2)
  for (const key of ['hold', 'balanced-moderate', 'trend-moderate'] as const) {
    const fees = await sql<
      { profit: bigint; fee: bigint; feeBps: number }[]
    >`select user_profit as profit, fee_amount as fee, fee_bps from platform_fees
      where bot_id = ${ids.get(key) ?? ''}`
    const feeBps = feeBpsOf(choiceOf(key).strategy, { holdFeeBps: 0 })
    expect(fees.length).toBe(2)
    for (const { profit, fee, feeBps: charged } of fees)
      expect([charged, fee]).toEqual([
        feeBps,
        closingFee({ invested: 0n, out: profit, feeBps }).fee,
      ])
  }
  expect(await reconcile(world.context)).toEqual([])
})

test('a bot keeps the fee rate that it was created with', async () => {
  const { config } = world.context
  const old = await create({ name: 'Free', strategy: 'hold' })
  config.HOLD_FEE_BPS = 500
  const young = await create({ name: 'Paying', strategy: 'hold' })
  config.HOLD_FEE_BPS = 0
  const bots = await ada.call('listBots')
  expect([old.id, young.id].map((id) => bots.find((bot) => bot.id === id)?.feeBps)).toEqual([
    0, 500,
  ])
})

test('a hold bot refuses another level, and its pairs can be changed', async () => {
  const refused = await ada.ask('createBot', {
    body: {
      name: 'Calm',
      strategy: 'hold',
      riskLevel: 'conservative',
      tradingPairs: PAIRS,
      investmentAmount: '10',
    },
  })
  expect([refused.status, refused.body]).toMatchObject([
    400,
    {
      field: 'riskLevel',
      message: 'Hold bots are always aggressive: all their money is in coins.',
    },
  ])
  const { id } = await create({ name: 'Keeper', strategy: 'hold' })
  await world.serve()
  expect(
    await ada.ask('updateBot', { params: { id }, body: { riskLevel: 'moderate' } }),
  ).toMatchObject({ status: 400, body: { field: 'riskLevel' } })
  expect(
    await ada.ask('updateBot', { params: { id }, body: { tradingPairs: ['XRP/USDT'] } }),
  ).toMatchObject({ status: 200, body: { strategy: 'hold', isChanging: true } })
})

test('a balanced bot changes its level and stays balanced', async () => {
  const id = ids.get('balanced-aggressive') ?? ''
  expect(
    await ada.ask('updateBot', { params: { id }, body: { riskLevel: 'conservative' } }),
  ).toMatchObject({ status: 200, body: { strategy: 'balanced', riskLevel: 'conservative' } })
  for (let round = 0; round < 4; round += 1) await world.serve()
  expect(await botOf('balanced-aggressive')).toMatchObject({
    strategy: 'balanced',
    riskLevel: 'conservative',
    isChanging: false,
  })
  for (const part of await inCoins('balanced-aggressive'))
    expect(Math.abs(part - 25)).toBeLessThanOrEqual(5)
})

test('previews and simulations depend on the kind', async () => {
  const preview = await ada.call('runBacktest', {
    body: { strategy: 'hold', tradingPairs: PAIRS, investmentAmount: '100', days: 30 },
  })
  expect(preview.trades.map(({ reason }) => reason)).toEqual(['Bought to hold', 'Bought to hold'])
  expect([preview.platformFees, preview.netResult]).toEqual(['0.00', preview.buyAndHoldResult])
  const { trades } = await ada.call('simulateBot', {
    params: { id: ids.get('balanced-conservative') },
  })
  expect(trades.at(-1)?.reason).toBe('25% is kept in coins, the rest in cash')
})
