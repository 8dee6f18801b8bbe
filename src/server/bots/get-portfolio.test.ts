import { afterAll, beforeAll, expect, test } from 'vitest'
import { RANGES } from '#contract/query-values.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { portfolioOf } from '../../../test/world/balance-curve.ts'
import { createRisingWorld } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

let world: World
let bankAccountId = ''
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

const difference = (value = '0', other = '0') =>
  unitsToDecimal(decimalToUnits(value) - decimalToUnits(other), 2)

async function payOut(user: TestUser, amount: string): Promise<void> {
  await user.call('requestWithdrawal', { body: { amount, bankAccountId }, key: amount })
  await world.payOut()
}

/** A user without bots: every change of the balance is a deposit or a withdrawal. */
async function saver(): Promise<TestUser> {
  const user = await world.user()
  await user.deposit('1000')
  bankAccountId = await user.addBankAccount()
  await world.hours(12)
  await payOut(user, '187.50')
  await world.hours(12)
  await user.deposit('400')
  await world.hours(12)
  return user
}

type Curve = { at: string; value: string }[]
const lastBy = (curve: Curve, at: string) => curve.findLast((point) => point.at <= at)?.value

test('a withdrawal is no loss and a deposit no gain, at no point of any range', async () => {
  const user = await saver()
  for (const range of RANGES) {
    const { curve, withoutTrading, change, dailyChange, totalBalance } = await portfolioOf(
      user,
      range,
    )
    expect([totalBalance, change, dailyChange]).toEqual([
      '1212.50',
      { amount: '0.00', percent: '0.00' },
      { amount: '0.00', percent: '0.00' },
    ])
    expect(withoutTrading[0], `in ${range}`).toEqual(curve[0])
    for (const { at, value } of curve)
      expect(lastBy(withoutTrading, at), `${range} at ${at}`).toBe(value)
  }
  const { withoutTrading, curve } = await portfolioOf(user)
  expect(withoutTrading.map(({ value }) => value)).toEqual(['1000.00', '812.50', '1212.50'])
  expect(curve.length).toBeGreaterThanOrEqual(39)
})

test('the curve steps at the moment of a withdrawal, not over hours', async () => {
  const { curve, withoutTrading } = await portfolioOf(await saver())
  for (const { at } of withoutTrading.slice(1)) {
    const step = curve.findIndex((point) => point.at === at)
    expect(Date.parse(at) - Date.parse(curve[step - 1]?.at ?? '')).toBe(1)
  }
})

test('each deposit and withdrawal has a mark with its receipt; near ones share it', async () => {
  const user = await saver()
  await user.deposit('10')
  const { moneyMarks, curve, since } = await portfolioOf(user)
  const { items } = await user.call('listTransactions')
  const expected = [
    ['1000.00', 1, items.at(-1)?.id],
    ['-187.50', 1, items.find(({ type }) => type === 'withdrawal')?.id],
    ['410.00', 2, items[0]?.id],
  ]
  expect(
    moneyMarks.slice(0, 2).map(({ amount, count, latest }) => [amount, count, latest?.id]),
  ).toEqual(expected.slice(0, 2))
  expect([moneyMarks[0]?.at, since]).toEqual([curve[0]?.at, curve[0]?.at])
  const rest = moneyMarks.slice(2)
  expect(rest.reduce((sum, { count }) => sum + count, 0)).toBe(2)
  expect(rest.at(-1)?.latest?.id).toBe(items[0]?.id)
  for (const { latest } of moneyMarks)
    expect(
      (await user.call('getTransaction', { params: { id: latest?.id ?? '' } })).transaction
        .createdAt,
    ).toBe(latest?.createdAt)
})

test('the change over a range is the balance minus the balance without trading', async () => {
  const user = await saver()
  await user.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '300',
    },
  })
  await world.hours(30)
  await payOut(user, '100')
  for (const range of RANGES) {
    const { withoutTrading, change, totalBalance } = await portfolioOf(user, range)
    expect(change.amount, `in ${range}`).toBe(
      difference(totalBalance, withoutTrading.at(-1)?.value),
    )
    expect(Number(change.amount)).toBeGreaterThan(0)
  }
  const [day, dailyChange] = [
    (await portfolioOf(user, '1D')).change,
    (await portfolioOf(user, '1D')).dailyChange,
  ]
  expect(day).toEqual(dailyChange)
})

test('the trades of the day are those of the bots in the last day', async () => {
  const user = await world.user()
  await user.deposit('1000')
  const ids: string[] = []
  const firsts: (string | null)[] = [(await portfolioOf(user)).firstTradeAt]
  for (const [name, riskLevel] of [
    ['first', 'aggressive'],
    ['second', 'moderate'],
  ]) {
    const body = { name, riskLevel, tradingPairs: ['BTC/USDT'], investmentAmount: '200' }
    ids.push((await user.call('createBot', { body })).id)
    await world.hours(14)
    firsts.push((await portfolioOf(user)).firstTradeAt)
  }
  await user.call('takeOutOfBot', { params: { id: ids[0] }, body: { percent: 50 } })
  await world.hours(1)
  const { dayTrades, day } = await portfolioOf(user)
  const pages = await Promise.all(
    ids.map((id) => user.call('listBotTrades', { params: { id }, query: {} })),
  )
  const all = pages.flatMap(({ items }) => items)
  const trades = all.filter(({ marketTime }) => marketTime > (day[0]?.at ?? ''))
  expect(trades.length).toBeLessThan(all.length)
  expect(firsts, 'the first trade of the user, on its day').toEqual([
    null,
    all.map(({ marketTime }) => marketTime).toSorted()[0],
    null,
  ])
  expect(trades.map(({ side }) => side).toSorted()).toEqual(['buy', 'sell'])
  expect(dayTrades).toEqual(
    trades
      .map(({ side, venueFee: fee, marketTime: at }) => ({ at, side, coin: 'BTC', count: 1, fee }))
      .toSorted((a, b) => (a.at < b.at ? 1 : -1)),
  )
})

test("a bot's invested curve steps with money in and out; its marks count all trades", async () => {
  const user = await world.user()
  await user.deposit('1000')
  const { id } = await user.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'XRP/USDT'],
      investmentAmount: '200',
    },
  })
  await world.hours(24)
  await user.call('topUpBot', { params: { id }, body: { amount: '300' } })
  await world.hours(24)
  await user.call('takeOutOfBot', { params: { id }, body: { percent: 50 } })
  await world.hours(24)
  const { bot, investedCurve, equityCurve, tradeMarks, tradeCount } = await user.call(
    'getBotPerformance',
    { params: { id } },
  )
  const values = investedCurve.map(({ value }) => value)
  expect([values.slice(0, 2), values.at(-1)]).toEqual([['200.00', '500.00'], bot.investmentAmount])
  expect(Number(bot.investmentAmount)).toBeLessThan(300)
  expect(investedCurve[0]?.at).toBe(equityCurve[0]?.at)
  expect(difference(equityCurve.at(-1)?.value, values.at(-1))).toBe(bot.totalProfit)
  expect(tradeCount).toBeGreaterThan(2)
  expect(tradeMarks.reduce((sum, { bought, sold }) => sum + bought + sold, 0)).toBe(tradeCount)
  const { items } = await user.call('listBotTrades', { params: { id } })
  const { latest } = tradeMarks.at(-1) ?? {}
  expect(latest).toMatchObject({ side: items[0]?.side, at: items[0]?.marketTime })
})

test('net deposits equal the deposits, even if a bot traded at the same moment', async () => {
  const user = await world.user()
  await user.deposit('1000')
  await user.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'XRP/USDT'],
      investmentAmount: '900',
    },
  })
  await world.serve()
  await world.hours(3)
  const { withoutTrading, curve, change, totalBalance } = await portfolioOf(user)
  expect(curve[0]?.value).not.toBe('1000.00')
  expect([withoutTrading.map(({ value }) => value), change.amount]).toEqual([
    ['1000.00'],
    difference(totalBalance, '1000.00'),
  ])
})

test('a portfolio is consistent in itself, even while prices move and money arrives', async () => {
  const user = await world.user()
  await user.deposit('800')
  const body = {
    name: 'One',
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT', 'XRP/USDT'],
    investmentAmount: '300',
  }
  await user.call('createBot', { body })
  const over = { value: false }
  const moving = (async () => {
    for (let round = 0; round < 6; round += 1) {
      await world.hours(1)
      await user.deposit('500')
    }
    over.value = true
  })()
  const cents = (amount: string) => Number(amount.replace('.', ''))
  const wrong: unknown[] = []
  while (!over.value) {
    const {
      curve,
      totalBalance,
      availableBalance,
      heldBalance,
      investedBalance,
      bots,
      dailyChange,
    } = await portfolioOf(user, '1M')
    const parts = cents(availableBalance) + cents(heldBalance) + cents(investedBalance)
    const inBots = bots.reduce((sum, { equity }) => sum + cents(equity), 0)
    const adds =
      curve.at(-1)?.value === totalBalance &&
      cents(totalBalance) === parts &&
      cents(investedBalance) === inBots
    // The daily change excludes deposits, all of which are from today, so only trading remains.
    if (!adds || Math.abs(cents(dailyChange.amount)) > 25_000)
      wrong.push({
        totalBalance,
        availableBalance,
        heldBalance,
        investedBalance,
        inBots,
        end: curve.at(-1),
        dailyChange,
      })
  }
  await moving
  expect(wrong).toEqual([])
})
