import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupBy } from '#core/group-by.ts'
import { baseOf } from '#core/market/pair.ts'
import { ceilToCents } from '#core/money/cents.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { portfolioOf } from '../../../test/world/balance-curve.ts'
import { createRisingWorld } from '../../../test/world/small-book.ts'
import { type TestUser, type World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

const difference = (value = '0', other = '0') =>
  unitsToDecimal(decimalToUnits(value) - decimalToUnits(other), 2)
const sumOf = (one: string, other: string) =>
  unitsToDecimal(decimalToUnits(one) + decimalToUnits(other), 2)
const paidText = (fees: readonly string[]) =>
  unitsToDecimal(ceilToCents(fees.reduce((sum, fee) => sum + decimalToUnits(fee), 0n)), 2)

async function invest(user: TestUser, tradingPairs: string[]): Promise<string> {
  const body = { name: 'Steady', riskLevel: 'aggressive', tradingPairs, investmentAmount: '300' }
  return (await user.call('createBot', { body })).id
}

/** The bots' own lists of trades, newest first, from `from` on. */
async function tradesOf(user: TestUser, { ids, from }: { ids: readonly string[]; from: string }) {
  const pages = await Promise.all(
    ids.map((id) => user.call('listBotTrades', { params: { id }, query: {} })),
  )
  return pages
    .flatMap(({ items }) => items)
    .filter(({ marketTime }) => marketTime > from)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

test('a week without money or trades has no figures but zeros', async () => {
  const user = await world.user()
  expect(await user.call('getWeek')).toMatchObject({
    result: '0.00',
    percent: '0.00',
    trades: [],
    tradingFees: '0.00',
    platformFees: '0.00',
    best: null,
    worst: null,
    holding: null,
    months: [],
  })
})

test('the results of months are differences of balances, without deposits', async () => {
  const long = await createRisingWorld()
  const user = await long.user()
  await user.deposit('1000')
  const id = await invest(user, ['BTC/USDT'])
  const totals = ['1000.00']
  for (const hours of [719, 720, 24]) {
    await long.hours(hours)
    totals.push((await portfolioOf(user)).totalBalance)
    if (hours === 720) await user.deposit('200')
  }
  const { months, to } = await user.call('getWeek')
  const [first = '', second, third] = months.map(({ from }) => from)
  expect([second, third].map((from = '') => Date.parse(from) - Date.parse(first))).toEqual([
    30 * 86_400_000,
    60 * 86_400_000,
  ])
  expect(Date.parse(to)).toBeGreaterThan(Date.parse(third ?? ''))
  // Past balances are valued at closes, a present one at the last price, which here is the close.
  expect(months.map(({ result }) => result)).toEqual([
    difference(totals[1], totals[0]),
    difference(totals[2], totals[1]),
    difference(difference(totals[3], totals[2]), '200'),
  ])
  expect(months.reduce((sum, { result }) => sumOf(sum, result), '0.00')).toBe(
    difference(totals[3], '1200'),
  )
  expect(new Set([...totals, '0.00']).size, 'the bot won or lost').toBeGreaterThan(3)

  const ofBot = async () => (await user.call('getBotPerformance', { params: { id } })).months
  const resultsOfBot = (await ofBot()).map(({ result }) => result)
  expect((await ofBot()).map(({ from }) => from)).toEqual([first, second, third])
  const cents = months.map(({ result }, index) => Number(difference(result, resultsOfBot[index])))
  expect(Math.max(...cents.map(Math.abs)), 'the cash won nothing').toBeLessThanOrEqual(0.01)

  await user.call('topUpBot', { params: { id }, body: { amount: '100' } })
  await long.hours(5)
  await user.call('takeOutOfBot', { params: { id }, body: { percent: 30 } })
  await long.hours(24)
  const { availableBalance, bots } = await user.call('getPortfolio')
  const received = difference(availableBalance, '800')
  expect(Number(received)).toBeGreaterThan(0)
  const left = difference(sumOf(bots[0]?.equity ?? '', received), '400')
  const all = (await ofBot()).reduce((sum, { result }) => sum + decimalToUnits(result), 0n)
  expect(unitsToDecimal(all, 2)).toBe(left)
  await long.close()
})

test('a first week or month is reported for one day, with the figures of Your week', async () => {
  const long = await createRisingWorld()
  const user = await long.user()
  await user.deposit('1000')
  await long.hours(1)
  const body = {
    name: 'Kept',
    strategy: 'hold',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '900',
  }
  await user.call('createBot', { body })
  const afterHours = async (hours: number) => {
    await long.hours(hours)
    const { firstPeriod } = await user.call('getBalanceCurve', { query: { range: '1D' } })
    return { firstPeriod, week: await user.call('getWeek') }
  }
  // The last close within the week, at which it is valued.
  const { firstPeriod: none, week } = await afterHours(166)
  expect(none).toBeNull()
  const { firstPeriod: first } = await afterHours(1)
  expect(first).toMatchObject({ days: 7, result: week.result, tradingFees: week.tradingFees })
  expect(Number(week.result)).not.toBe(0)
  await user.deposit('200')
  expect((await afterHours(23)).firstPeriod, 'it is over and stays the same').toEqual(first)
  expect((await afterHours(1)).firstPeriod).toBeNull()
  const { firstPeriod: month, week: later } = await afterHours(24 * 22 + 1)
  expect(month).toMatchObject({ days: 30, result: later.months[0]?.result })
  await long.close()
})

test("a first week begins with the first deposit; its buy and hold equals the bot's", async () => {
  const user = await world.user()
  await user.deposit('1000')
  const id = await invest(user, ['BTC/USDT'])
  await world.hours(30)
  const { totalBalance, since } = await portfolioOf(user)
  const { buyAndHoldCurve } = await user.call('getBotPerformance', { params: { id } })
  const week = await user.call('getWeek')
  expect(week).toMatchObject({
    from: since,
    result: difference(totalBalance, '1000'),
    holding: difference(buyAndHoldCurve.at(-1)?.value, '300'),
    best: null,
    worst: null,
  })
  expect(week.trades).toContainEqual({ side: 'buy', coin: 'BTC', count: expect.any(Number) })
})

test('the figures of a week are those of the ledger and of Home', async () => {
  const user = await world.user()
  await user.deposit('1000')
  const ids = [await invest(user, ['BTC/USDT'])]
  await world.hours(150)
  ids.push(await invest(user, ['BTC/USDT', 'XRP/USDT']))
  await user.deposit('200')
  await world.hours(20)
  for (const id of ids) {
    await user.call('takeOutOfBot', { params: { id }, body: { percent: 50 } })
    await world.hours(2)
  }
  const week = await user.call('getWeek')
  expect(Date.parse(week.to) - Date.parse(week.from)).toBe(7 * 86_400_000)
  const { change } = await portfolioOf(user, '1W')
  expect({ amount: week.result, percent: week.percent }).toEqual(change)
  const trades = await tradesOf(user, { ids, from: week.from })
  expect(trades.length).toBeGreaterThan(3)
  expect(week.tradingFees).toBe(paidText(trades.map(({ venueFee }) => venueFee)))
  const counted = groupBy(trades, ({ side, tradingPair }) => `${side} ${baseOf(tradingPair)}`)
  expect(
    Object.fromEntries(week.trades.map(({ side, coin, count }) => [`${side} ${coin}`, count])),
  ).toEqual(Object.fromEntries([...counted].map(([name, of]) => [name, of.length])))
  const profits = trades
    .flatMap(({ id, profit }) => (profit === null ? [] : [{ id, profit }]))
    .toSorted((a, b) => (decimalToUnits(a.profit) < decimalToUnits(b.profit) ? 1 : -1))
  expect([week.best, week.worst]).toMatchObject([profits[0], profits.at(-1)])
  const [paid] = await world.context.sql<
    { fees: bigint }[]
  >`select sum(fee_amount)::bigint as fees from platform_fees where user_id = ${user.id}`
  expect(paid?.fees).toBeGreaterThan(0n)
  expect(week.platformFees).toBe(unitsToDecimal(ceilToCents(paid?.fees ?? 0n), 2))
  expect(Number(week.holding)).toBeGreaterThan(0)
})
