import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BalanceCurve, Portfolio, Prices } from '#contract/market.ts'
import { RANGE_DAYS } from '#contract/query-values.ts'
import { gainOf } from '#core/bots/gain.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { centsToUnits } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { curveAt } from './curve-at.ts'
import { curveTo, gainOfDay, gainOfRange } from './curve-to.ts'
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

function answerAt(life: Life, hour: number): Portfolio {
  const bot = {
    id: 'one',
    feeBps: 0,
    equity: usd(life.coins[hour] ?? 0),
  } as Portfolio['bots'][number]
  return {
    at: timeOf(hour),
    totalBalance: usd(totalAt(life, hour)),
    availableBalance: usd(cashAt(life, hour)),
    heldBalance: '0.00',
    investedBalance: bot.equity,
    netDeposits: usd(cashAt(life, hour)),
    bots: [bot],
    botHoldings: {
      one: { invested: '0.00', cash: '0.00', sleeves: { 1: { units: '0', base: '1.00' } } },
    },
    pools: { 1: { pair: 'BTC/USDT', number: 1, cash: '0.00', base: '0.00', units: '1' } },
    firstStep: null,
  }
}

type Range = BalanceCurve['range']
type Moment = { hour: number; range: Range }

const firstOf = ({ hour, range }: Moment) => Math.max(0, hour - RANGE_DAYS[range] * 24)

function curveOf(life: Life, moment: Moment): BalanceCurve {
  const { hour, range } = moment
  const first = firstOf(moment)
  const hours = Array.from({ length: hour - first + 1 }, (_, index) => first + index)
  const start = first === 0 ? cashAt(life, 0) : totalAt(life, first)
  const steps = hours.map((at) => ({
    at: timeOf(at),
    value: usd(start + flowsIn(life, first, at).reduce((sum, { cents }) => sum + cents, 0)),
  }))
  return {
    range,
    netDeposits: usd(cashAt(life, hour)),
    moneyMarks: flowsIn(life, first - 1, hour).map(({ hour: at, cents }) => ({
      at: timeOf(at),
      count: 1,
      amount: usd(cents),
      latest: null,
    })),
    since: timeOf(0),
    dayTrades: [],
    firstTradeAt: null,
    firstPeriod: null,
    curve: hours.map((at) => ({ at: timeOf(at), value: usd(totalAt(life, at)) })),
    withoutTrading: steps.filter(({ value }, index) => value !== steps[index - 1]?.value),
    day: Array.from({ length: 25 }, (_, index) => hour - 24 + index).map((at) => ({
      at: timeOf(at),
      value: usd(totalAt(life, at)),
    })),
  }
}

function gainFrom(life: Life, { from, hour }: { from: number; hour: number }) {
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
    .map((flows) => new Map([[0, 100_000], ...flows.toSorted(([a], [b]) => a - b)])),
})

const RANGE = fc.constantFrom('1D', '1W', 'All')

test("after days of price events, portfolio and curve equal the server's", () => {
  fc.assert(
    fc.property(
      LIFE,
      RANGE,
      fc.integer({ min: 300, max: 350 }),
      fc.integer({ min: 1, max: 49 }),
      (life, range, hour, hours) => {
        let portfolio = answerAt(life, hour)
        let past = curveOf(life, { hour, range })
        for (let at = hour + 1; at <= hour + hours; at += 1) {
          portfolio = portfolioAt(portfolio, {
            prices: pricesAt(at, life.coins[at] ?? 0),
            states: {},
          })
          past = curveAt(past, portfolio)
        }
        const moment = { hour: hour + hours, range }
        expect(portfolio).toMatchObject(answerAt(life, moment.hour))
        const { curve, withoutTrading, moneyMarks } = curveOf(life, moment)
        expect(past.moneyMarks).toEqual(moneyMarks)
        expect(gainOfRange(past)).toEqual(gainFrom(life, { from: firstOf(moment), ...moment }))
        expect(gainOfDay(past)).toEqual(gainFrom(life, { ...moment, from: moment.hour - 24 }))
        expect([past.curve[0], past.curve.at(-1)]).toEqual([curve[0], curve.at(-1)])
        expect(past.withoutTrading.at(-1)?.value).toBe(withoutTrading.at(-1)?.value)
      },
    ),
    { numRuns: 60 },
  )
})

test("a curve ends at the portfolio's time and balance, even if hours apart", () => {
  fc.assert(
    fc.property(
      LIFE,
      RANGE,
      fc.integer({ min: 48, max: 300 }),
      fc.integer({ min: -20, max: 20 }),
      (life, range, hour, later) => {
        const portfolio = answerAt(life, hour + later)
        const past = curveTo(curveOf(life, { hour, range }), portfolio)
        const from = firstOf({ hour, range })
        expect(past.curve.at(-1)).toEqual({ at: portfolio.at, value: portfolio.totalBalance })
        for (const points of [past.curve, past.withoutTrading, past.moneyMarks]) {
          const times = points.map(({ at }) => at)
          expect(times).toEqual(times.toSorted())
          expect(times.filter((at) => at > portfolio.at)).toEqual([])
        }
        expect(gainOfRange(past).amount).toBe(gainFrom(life, { from, hour: hour + later }).amount)
      },
    ),
    { numRuns: 200 },
  )
})

test('prices older than an answer do not change it', () => {
  const life = { coins: [100, 200, 300], flows: new Map([[0, 500]]) }
  const portfolio = answerAt(life, 2)
  const past = curveOf(life, { hour: 2, range: '1M' })
  expect(curveAt(past, answerAt(life, 1))).toBe(past)
  expect(portfolioAt(portfolio, { prices: pricesAt(1, 200), states: {} })).toBe(portfolio)
  expect(portfolioAt(portfolio, { prices: {}, states: {} })).toBe(portfolio)
})

test('a newer state of a pool is used, an older one ignored', () => {
  const portfolio = answerAt({ coins: [100, 200], flows: new Map([[0, 500]]) }, 1)
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

test('the sentence about a bot is dropped once the bot trades', () => {
  const portfolio = answerAt({ coins: [100, 200], flows: new Map([[0, 500]]) }, 1)
  const pool = { pair: 'BTC/USDT' as const, number: 5, cash: '40.00', base: '0.00', units: '1' }
  const [bot] = portfolio.bots
  const inPool = {
    ...portfolio,
    bots: bot ? [{ ...bot, coins: '0.00', doing: 'In cash.' }] : [],
    botHoldings: { one: { invested: '0.00', cash: '0.00', sleeves: { 1: { units: '1' } } } },
    pools: { 1: pool },
  }
  const after = (shown: Portfolio, changed: { number: number; cash: string; base: string }) =>
    portfolioAt(shown, { prices: pricesAt(1, 200), states: { 1: { ...changed, units: '1' } } })
  const saidBy = ({ bots }: Portfolio) => bots[0]?.doing
  const earned = after(inPool, { number: 6, cash: '41.00', base: '0.00' })
  expect(saidBy(earned)).toBe('In cash.')
  const bought = after(earned, { number: 7, cash: '1.00', base: '20.00' })
  expect([
    saidBy(bought),
    saidBy(after(bought, { number: 8, cash: '0.00', base: '20.50' })),
  ]).toEqual([null, null])
})

test('a curve keeps its density: of many prices in a short time, one point is kept', () => {
  const life = {
    coins: Array.from({ length: 400 }, (_, hour) => 1_000 + hour),
    flows: new Map([[0, 500]]),
  }
  let portfolio = answerAt(life, 160)
  let past = curveOf(life, { hour: 160, range: 'All' })
  for (let minute = 1; minute <= 60; minute += 1) {
    const at = 160 + minute / 60
    portfolio = portfolioAt(portfolio, { prices: pricesAt(at, 1_000 + minute), states: {} })
    past = curveAt(past, portfolio)
    expect(past.curve.at(-1)).toEqual({ at: timeOf(at), value: portfolio.totalBalance })
  }
  expect(past.curve.length).toBe(162)
})
