import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Portfolio, Prices } from '#contract/market.ts'
import { RANGE_DAYS } from '#contract/query-values.ts'
import { gainOf } from '#core/bots/gain.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { centsToUnits } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { portfolioAt } from './portfolio-at.ts'

const usd = (cents: number) => unitsToDecimal(centsToUnits(cents), 2)
const timeOf = (hour: number) => new Date(Date.UTC(2026, 0, 1) + hour * HOUR_MS).toISOString()
const pricesAt = (hour: number, cents: number): Prices => ({
  BTC: {
    name: 'Bitcoin',
    price: usd(cents),
    change24h: '0.00',
    trace: [],
    at: timeOf(hour),
    stale: false,
  },
})

/**
 * An account with some cash and one bitcoin in a bot, whose price is known each hour. `flows`:
 * outside money in cents, by hour.
 */
type Life = { coins: readonly number[]; flows: ReadonlyMap<number, number> }

const flowsIn = ({ flows }: Life, fromHour: number, toHour: number) =>
  [...flows]
    .filter(([hour]) => hour > fromHour && hour <= toHour)
    .map(([hour, cents]) => ({ hour, cents }))
const cashAt = (life: Life, hour: number) =>
  flowsIn(life, -1, hour).reduce((sum, { cents }) => sum + cents, 0)
const totalAt = (life: Life, hour: number) =>
  hour < 0 ? 0 : cashAt(life, hour) + (life.coins[hour] ?? 0)

function answerAt(
  life: Life,
  { hour, range }: { hour: number; range: Portfolio['range'] },
): Portfolio {
  const first = Math.max(0, hour - RANGE_DAYS[range] * 24)
  const hours = Array.from({ length: hour - first + 1 }, (_, index) => first + index)
  const start = first === 0 ? cashAt(life, 0) : totalAt(life, first)
  const steps = hours.map((at) => ({
    at: timeOf(at),
    value: usd(start + flowsIn(life, first, at).reduce((sum, { cents }) => sum + cents, 0)),
  }))
  const bot = {
    id: 'one',
    feeBps: 0,
    equity: usd(life.coins[hour] ?? 0),
  } as Portfolio['bots'][number]
  return {
    range,
    totalBalance: usd(totalAt(life, hour)),
    availableBalance: usd(cashAt(life, hour)),
    heldBalance: '0.00',
    investedBalance: bot.equity,
    bots: [bot],
    botHoldings: {
      one: { invested: '0.00', cash: '0.00', sleeves: { 1: { units: '0', base: '1.00' } } },
    },
    pools: { 1: { pair: 'BTC/USDT', number: 1, cash: '0.00', base: '0.00', units: '1' } },
    firstStep: null,
    moneyMarks: flowsIn(life, first - 1, hour).map(({ hour: at, cents }) => ({
      at: timeOf(at),
      count: 1,
      amount: usd(cents),
      latest: null,
    })),
    since: timeOf(0),
    curve: hours.map((at) => ({ at: timeOf(at), value: usd(totalAt(life, at)) })),
    withoutTrading: steps.filter(({ value }, index) => value !== steps[index - 1]?.value),
    day: Array.from({ length: 25 }, (_, index) => hour - 24 + index).map((at) => ({
      at: timeOf(at),
      value: usd(totalAt(life, at)),
    })),
    change: gainFrom(life, { from: first, hour }),
    dailyChange: gainFrom(life, { from: hour - 24, hour }),
  }
}

function gainFrom(life: Life, { from, hour }: { from: number; hour: number }): Portfolio['change'] {
  const start = from === 0 ? cashAt(life, 0) : totalAt(life, from)
  return gainOf({
    start: centsToUnits(start),
    flows: flowsIn(life, from, hour).map(({ cents }) => centsToUnits(cents)),
    end: centsToUnits(totalAt(life, hour)),
  })
}

const LIFE = fc.record({
  coins: fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 400, maxLength: 400 }),
  flows: fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 299 }), fc.integer({ min: 1, max: 99_999 })), {
      selector: ([hour]) => hour,
      maxLength: 12,
    })
    .map((flows) => new Map([[0, 100_000], ...flows])),
})

test('after days of prices, the portfolio is the one that the server would answer', () => {
  fc.assert(
    fc.property(
      LIFE,
      fc.constantFrom('1D', '1W', 'All'),
      fc.integer({ min: 300, max: 350 }),
      fc.integer({ min: 1, max: 49 }),
      (life, range, hour, hours) => {
        let portfolio = answerAt(life, { hour, range })
        for (let passed = 1; passed <= hours; passed += 1) {
          const at = hour + passed
          portfolio = portfolioAt(portfolio, {
            prices: pricesAt(at, life.coins[at] ?? 0),
            states: {},
          })
        }
        const { totalBalance, bots, change, dailyChange, curve, withoutTrading, moneyMarks } =
          answerAt(life, { hour: hour + hours, range })
        expect(portfolio).toMatchObject({
          totalBalance,
          investedBalance: bots[0]?.equity,
          change,
          dailyChange,
          moneyMarks,
        })
        expect([portfolio.curve[0], portfolio.curve.at(-1)]).toEqual([curve[0], curve.at(-1)])
        expect(portfolio.withoutTrading.at(-1)?.value).toBe(withoutTrading.at(-1)?.value)
      },
    ),
    { numRuns: 60 },
  )
})

test('prices from before an answer change nothing in it', () => {
  const portfolio = answerAt(
    { coins: [100, 200, 300], flows: new Map([[0, 500]]) },
    { hour: 2, range: '1M' },
  )
  expect(portfolioAt(portfolio, { prices: pricesAt(1, 200), states: {} })).toBe(portfolio)
  expect(portfolioAt(portfolio, { prices: {}, states: {} })).toBe(portfolio)
})

test('a newer state of a pool counts, an older one does not', () => {
  const portfolio = answerAt(
    { coins: [100, 200], flows: new Map([[0, 500]]) },
    { hour: 1, range: 'All' },
  )
  const inPool = {
    ...portfolio,
    botHoldings: { one: { invested: '0.00', cash: '0.00', sleeves: { 1: { units: '1' } } } },
    pools: { 1: { pair: 'BTC/USDT' as const, number: 5, cash: '40.00', base: '0.00', units: '1' } },
  }
  const withCash = (number: number) =>
    portfolioAt(inPool, {
      prices: pricesAt(1, 200),
      states: { 1: { number, cash: '70.00', base: '0.00', units: '1' } },
    }).investedBalance
  expect([withCash(4), withCash(5), withCash(6)]).toEqual(['40.00', '40.00', '70.00'])
})

test('a curve keeps its density: of many prices in a short time, one point is kept', () => {
  const life = {
    coins: Array.from({ length: 400 }, (_, hour) => 1_000 + hour),
    flows: new Map([[0, 500]]),
  }
  let portfolio = answerAt(life, { hour: 160, range: 'All' })
  for (let minute = 1; minute <= 60; minute += 1) {
    portfolio = portfolioAt(portfolio, {
      prices: pricesAt(160 + minute / 60, 1_000 + minute),
      states: {},
    })
    expect(portfolio.curve.at(-1)).toEqual({
      at: timeOf(160 + minute / 60),
      value: portfolio.totalBalance,
    })
  }
  expect(portfolio.curve.length).toBe(162)
})
