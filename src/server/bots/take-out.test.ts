import { afterAll, beforeAll, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import { closingFee, partOf, PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { forecastClosing, forecastOf } from '#app/bots/take-out-forecast.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { moneySnapshot } from '../../../test/world/money-snapshot.ts'
import { createBotOwner, createRisingWorld, STEADY_BOT } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** A user with a bot of $200 that is in the market, and $50 in cash. */
async function investor(): Promise<{ user: TestUser; id: string }> {
  const owner = await createBotOwner(world, '250')
  await world.serve()
  return owner
}

const takeOut = (user: TestUser, id: string, percent: number, key?: string) =>
  user.ask('takeOutOfBot', { params: { id }, body: { percent }, ...(key && { key }) })
const botOf = async (user: TestUser, id: string) =>
  (await user.call('listBots')).find((bot) => bot.id === id)
const availableOf = async (user: TestUser) =>
  decimalToUnits((await user.call('getUser')).availableBalance)

type Returned = { out: bigint; fee: bigint; cash: bigint }

/** Transfers out of the user's bots: the gross amount, the fee, and the cash credited. */
async function returnsOf(user: TestUser): Promise<Returned[]> {
  return world.context.sql<Returned[]>`
    select -sum(e.amount) filter (where a.code = 'bots') as out,
           coalesce(sum(e.amount) filter (where a.code = 'fees:income'), 0)::bigint as fee,
           sum(e.amount) filter (where a.code = 'customer:cash') as cash
      from ledger_transfers t
      join ledger_entries e on e.user_id = t.user_id and e.transfer_id = t.id
      join ledger_accounts a on a.user_id = e.user_id and a.id = e.account_id
     where t.user_id = ${user.id} and t.kind = 'bot-returned' group by t.id order by t.id`.then(
    (rows) =>
      rows.map(({ out, fee, cash }) => ({
        out: BigInt(out),
        fee: BigInt(fee),
        cash: BigInt(cash),
      })),
  )
}

type Fee = { userProfit: bigint; feeAmount: bigint; trade: string | null }

async function feesOf(id: string): Promise<Fee[]> {
  return world.context.sql<
    Fee[]
  >`select user_profit, fee_amount, trade from platform_fees where bot_id = ${id} order by id`
}

async function investedOf(id: string): Promise<bigint> {
  const [bot] = await world.context.sql<
    { invested: bigint }[]
  >`select invested from trading_bots where id = ${id}`
  return bot?.invested ?? -1n
}

test('a quarter of a profitable bot returns its value minus the fee on its profit', async () => {
  const { user, id } = await investor()
  await world.hours(48)
  const before = await botOf(user, id)
  const { returned } = forecastOf(required(before, 'a running bot'), {
    percent: 25,
    costBps: totalCostBps(world.context.costs),
  })
  expect(await takeOut(user, id, 25)).toMatchObject({
    status: 200,
    body: {
      id,
      status: 'active',
      isActive: true,
      takingOutPercent: 25,
      investmentAmount: '200.00',
    },
  })
  expect(await availableOf(user)).toBe(decimalToUnits('50'))
  await world.serve()
  const [paid, ...more] = await returnsOf(user)
  expect(more).toEqual([])
  const { profit, fee } = closingFee({
    invested: partOf(200n * 10n ** 8n, 2_500),
    out: paid?.out ?? 0n,
    feeBps: PERFORMANCE_FEE_BPS,
  })
  expect(profit).toBeGreaterThan(0n)
  expect(paid).toMatchObject({ fee, cash: (paid?.out ?? 0n) - fee })
  expect(await feesOf(id)).toEqual([
    { userProfit: profit, feeAmount: fee, trade: expect.any(String) },
  ])
  expectForecast({ returned, cash: paid?.cash ?? 0n })
  expect(await botOf(user, id)).toMatchObject({
    investmentAmount: '150.00',
    takingOutPercent: null,
    status: 'active',
  })
  const [row] = (await user.call('listTransactions')).items.filter(
    ({ type }) => type === 'transfer',
  )
  expect(row).toMatchObject({ description: 'Taken out of bot Steady', status: 'completed' })
  expect(await reconcile(world.context)).toEqual([])
})

/**
 * The forecast is at most the amount returned, and lower only by rounding to cents and to a
 * hundredth of a percent, because costs compound.
 */
function expectForecast({ returned, cash }: { returned: string; cash: bigint }): void {
  const promised = decimalToUnits(returned)
  expect(promised, `promised ${promised}, came ${cash}`).toBeLessThanOrEqual(cash)
  expect(cash - promised, `promised ${promised}, came ${cash}`).toBeLessThan(
    cash / 10_000n + 3_000_000n,
  )
}

test.each([
  ['no costs', { TRADING_FEE_BPS: 0, TRADING_HALF_SPREAD_BPS: 0, TRADING_SLIPPAGE_BPS: 0 }],
  ['47 basis points', { TRADING_FEE_BPS: 40, TRADING_HALF_SPREAD_BPS: 2, TRADING_SLIPPAGE_BPS: 5 }],
  [
    '127 basis points',
    { TRADING_FEE_BPS: 120, TRADING_HALF_SPREAD_BPS: 2, TRADING_SLIPPAGE_BPS: 5 },
  ],
])('at %s, a take-out and a closing return what was forecast', async (_costs, config) => {
  const costly = await createRisingWorld({}, config)
  const costBps = totalCostBps(costly.context.costs)
  const user = await costly.user()
  await user.deposit('1000')
  const { id } = await user.call('createBot', {
    body: { ...STEADY_BOT, investmentAmount: '500.01' },
  })
  await costly.serve()
  const cash = async () =>
    BigInt(
      (
        await costly.context.sql<
          { balance: bigint }[]
        >`select balance from ledger_accounts where user_id = ${user.id} and code = 'customer:cash'`
      )[0]?.balance ?? 0n,
    )
  // First at a loss, right after the purchase, then at a profit.
  for (const hours of [0, 48]) {
    await costly.hours(hours)
    const [bot] = await user.call('listBots')
    const [before, { returned }] = [
      await cash(),
      forecastOf(required(bot, 'a running bot'), { percent: 30, costBps }),
    ]
    await user.call('takeOutOfBot', { params: { id }, body: { percent: 30 } })
    await costly.serve()
    expectForecast({ returned, cash: (await cash()) - before })
  }
  const [bot] = await user.call('listBots')
  const [before, { returned, cost }] = [
    await cash(),
    forecastClosing(required(bot, 'a running bot'), costBps),
  ]
  expect(decimalToUnits(cost) > 0n).toBe(costBps > 0)
  await user.call('deleteBot', { params: { id } })
  await costly.serve()
  expectForecast({ returned, cash: (await cash()) - before })
  await costly.close()
})

test('a share of a bot with a loss pays no fee', async () => {
  const { user, id } = await investor()
  expect((await takeOut(user, id, 50)).status).toBe(200)
  await world.serve()
  const [paid] = await returnsOf(user)
  expect(paid?.fee).toBe(0n)
  expect(paid?.out).toBeLessThan(100n * 10n ** 8n)
  expect(paid?.out).toBeGreaterThan(99n * 10n ** 8n)
  expect(await feesOf(id)).toEqual([])
  expect(await investedOf(id)).toBe(100n * 10n ** 8n)
  expect(await reconcile(world.context)).toEqual([])
})

test('a bot taken out in steps and then closed has paid 15 % of its profit, once', async () => {
  const { user, id } = await investor()
  for (const percent of [25, 50, 80]) {
    await world.hours(12)
    expect((await takeOut(user, id, percent)).status).toBe(200)
    await world.serve()
  }
  await user.call('deleteBot', { params: { id } })
  await world.serve()
  expect(await botOf(user, id)).toBeUndefined()
  const returns = await returnsOf(user)
  expect(returns).toHaveLength(4)
  const total = (of: (one: Returned) => bigint) => returns.reduce((sum, one) => sum + of(one), 0n)
  const profit = total(({ out }) => out) - 200n * 10n ** 8n
  expect(profit).toBeGreaterThan(0n)
  // Each fee is rounded down, and so is each part of the investment.
  const difference = (profit * 15n) / 100n - total(({ fee }) => fee)
  expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(4n)
  expect((await availableOf(user)) - 50n * 10n ** 8n).toBe(
    (total(({ cash }) => cash) / 1_000_000n) * 1_000_000n,
  )
  expect(await reconcile(world.context)).toEqual([])
})

test('a share worth less than a cent returns nothing and keeps the investment', async () => {
  const { user, id } = await investor()
  for (let round = 1; round <= 8; round += 1) {
    await takeOut(user, id, 99)
    await world.serve()
  }
  const returns = await returnsOf(user)
  expect(returns.length).toBeGreaterThan(2)
  expect(returns.length).toBeLessThan(8)
  expect(await investedOf(id)).toBeGreaterThan(0n)
  const [stored] = await world.context.sql<{ parts: bigint }[]>`
    select sum((metadata ->> 'investedPart')::bigint)::bigint as parts from transactions
     where bot_id = ${id}`
  expect(200n * 10n ** 8n - (stored?.parts ?? 0n)).toBe(await investedOf(id))
  expect(await reconcile(world.context)).toEqual([])
})

test('anything but a whole percentage from 1 to 99 is refused, naming the field', async () => {
  const { user, id } = await investor()
  const stranger = await world.user()
  const before = await moneySnapshot(world.context.sql)
  for (const percent of [0, 100, -1, 1.5, 1e9, '25', null, [25], true]) {
    expect(await user.ask('takeOutOfBot', { params: { id }, body: { percent } })).toMatchObject({
      status: 400,
      body: { field: 'percent' },
    })
  }
  expect(await takeOut(stranger, id, 25)).toMatchObject({
    status: 404,
    body: { code: 'not-found' },
  })
  expect(await moneySnapshot(world.context.sql)).toEqual(before)
})

test('nothing can be taken out of a new, topped-up, paused or closing bot', async () => {
  const user = await world.user()
  await user.deposit('300')
  const { id } = await user.call('createBot', { body: STEADY_BOT })
  const busy = {
    status: 409,
    body: { code: 'bot-busy', message: 'This bot is still moving money. Try again in a moment.' },
  }
  expect(await takeOut(user, id, 25)).toMatchObject(busy)
  await world.serve()
  await user.call('topUpBot', { params: { id }, body: { amount: '10' } })
  expect(await takeOut(user, id, 25)).toMatchObject(busy)
  await world.serve()
  await user.call('updateBot', { params: { id }, body: { isActive: false } })
  expect(await takeOut(user, id, 25)).toMatchObject({
    status: 409,
    body: { code: 'bot-paused', message: expect.stringMatching(/^Resume this bot first/) },
  })
  await world.serve()
  await user.call('updateBot', { params: { id }, body: { isActive: true } })
  expect(await takeOut(user, id, 25)).toMatchObject(busy)
  await world.hours(1)
  await user.call('deleteBot', { params: { id } })
  expect(await takeOut(user, id, 25)).toMatchObject({ status: 409, body: { code: 'bot-closing' } })
})

test('a bot with a take-out under way can be renamed, but not paused or topped up', async () => {
  const { user, id } = await investor()
  await takeOut(user, id, 10)
  expect(await takeOut(user, id, 10)).toMatchObject({ status: 409, body: { code: 'bot-busy' } })
  expect(await user.ask('updateBot', { params: { id }, body: { isActive: false } })).toMatchObject({
    status: 409,
    body: { code: 'bot-busy' },
  })
  expect(await user.ask('topUpBot', { params: { id }, body: { amount: '10' } })).toMatchObject({
    status: 409,
    body: { code: 'bot-busy' },
  })
  expect(
    await user.ask('updateBot', { params: { id }, body: { name: 'Named anew' } }),
  ).toMatchObject({ status: 200, body: { name: 'Named anew', takingOutPercent: 10 } })
  await world.serve()
  expect(await user.ask('updateBot', { params: { id }, body: { isActive: false } })).toMatchObject({
    status: 200,
    body: { status: 'paused' },
  })
  expect((await user.ask('topUpBot', { params: { id }, body: { amount: '10' } })).status).toBe(200)
})

test('of 16 concurrent attempts one succeeds; with one key all get the same answer', async () => {
  const { user, id } = await investor()
  const answers = await Promise.all(times(16, () => takeOut(user, id, 10)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'bot-busy')).toHaveLength(15)
  await world.serve()
  const keyed = await Promise.all(times(16, () => takeOut(user, id, 10, 'one-attempt')))
  expect(
    new Set(keyed.map(({ status, body }) => `${status} ${body.id} ${body.takingOutPercent}`)),
  ).toEqual(new Set([`200 ${id} 10`]))
  await world.serve()
  expect(await returnsOf(user)).toHaveLength(2)
  // Long after the payment, the same key still returns the same answer, without a second take-out.
  expect(await takeOut(user, id, 10, 'one-attempt')).toMatchObject({
    status: 200,
    body: { takingOutPercent: 10 },
  })
  await world.serve()
  expect(await returnsOf(user)).toHaveLength(2)
  expect(await takeOut(user, id, 11, 'one-attempt')).toMatchObject({
    status: 422,
    body: { code: 'idempotency-key-reused' },
  })
  expect(await investedOf(id)).toBe(162n * 10n ** 8n)
  expect(await reconcile(world.context)).toEqual([])
})

test('of a concurrent take-out and pause, one is refused', async () => {
  const { user, id } = await investor()
  for (let round = 1; round <= 10; round += 1) {
    const [taken, paused] = await Promise.all([
      takeOut(user, id, 5),
      user.ask('updateBot', { params: { id }, body: { isActive: false } }),
    ])
    expect(
      [`${taken.status} ${paused.status}`, taken.body.code ?? paused.body.code],
      `round ${round}`,
    ).toEqual(taken.status === 200 ? ['200 409', 'bot-busy'] : ['409 200', 'bot-paused'])
    await user.call('updateBot', { params: { id }, body: { isActive: true } })
    await world.hours(1)
    expect(await reconcile(world.context), `round ${round}`).toEqual([])
  }
})

test('a take-out and a close, concurrent with trading, return everything, 20 times', async () => {
  for (let round = 1; round <= 20; round += 1) {
    const { user, id } = await investor()
    if (round % 2 === 0) await takeOut(user, id, 30)
    const [taken, closed] = await Promise.all([
      takeOut(user, id, 30),
      user.ask('deleteBot', { params: { id } }),
      world.serve(),
    ])
    // 404 if the bot was closed by then.
    expect([200, 404, 409], `round ${round}`).toContain(taken.status)
    expect(closed.status, `round ${round}`).toBe(200)
    await world.serve()
    expect(await botOf(user, id), `round ${round}`).toBeUndefined()
    const returned = (await returnsOf(user)).reduce((sum, { cash }) => sum + cash, 0n)
    expect(returned, `round ${round}`).toBeGreaterThan(198n * 10n ** 8n)
    if (round % 5 === 0) expect(await reconcile(world.context), `round ${round}`).toEqual([])
  }
})

test('a share is taken out once, even if the engine restarts in between', async () => {
  const { user, id } = await investor()
  await takeOut(user, id, 40)
  await world.restartEngine()
  await world.serve()
  await world.restartEngine()
  await world.serve()
  expect(await returnsOf(user)).toHaveLength(1)
  expect(await investedOf(id)).toBe(120n * 10n ** 8n)
  expect(await botOf(user, id)).toMatchObject({ takingOutPercent: null, status: 'active' })
  expect(await reconcile(world.context)).toEqual([])
})
