import { inEnglish } from '#core/sentences.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { equityOf } from '#core/trading/position.ts'
import { backtest, buyAndHold, type BacktestInput } from './backtest.ts'
import { maxDrawdown } from './metrics.ts'
import type { Cause } from './reason.ts'
import type { ExposureChange } from './exposure-changes.ts'

/** Hourly candles from `firstHour` on; each opens at the previous close. */
function candles({ closes, firstHour = 0 }: { closes: number[]; firstHour?: number }) {
  return seriesOf(
    closes.map((price, index): Candle => {
      const open = units(String(closes[index - 1] ?? price))
      const close = units(String(price))
      return {
        openTimeMs: (firstHour + index) * HOUR_MS,
        open,
        high: open > close ? open : close,
        low: open < close ? open : close,
        close,
      }
    }),
  )
}

const cause: Cause = {
  kind: 'trend',
  exposureBps: 0,
  turn: 'none',
  lookback: 240,
  level: 0,
  trendsUp: 1,
  trends: 4,
  candlesMissing: 0,
}
const wants = (...steps: [closedCount: number, exposureBps: number][]): ExposureChange[] =>
  steps.map(([closedCount, exposureBps]) => ({
    closedCount,
    exposureBps,
    cause: { ...cause, exposureBps },
  }))

const btc = (closes: number[], changes: ExposureChange[]) => ({
  pair: 'BTC/USDT' as Pair,
  series: candles({ closes }),
  changes,
})
const common = {
  strategy: 'trend-moderate',
  invested: units('1000'),
  fromMs: 0,
  costs: VENUE_COSTS.binance,
  feeBps: 1_500,
} as const
const run = (input: Partial<BacktestInput> & Pick<BacktestInput, 'markets'>) =>
  backtest({ ...common, toMs: 100 * HOUR_MS, ...input })

test('btc, buys at the open after the decision, sells at a profit, pays the fee at the end', () => {
  const result = run({
    markets: [btc([100, 105, 110, 120, 130], wants([0, 0], [1, 5_000], [4, 0]))],
  })
  expect(
    result.trades.map(({ timeMs, side, price, exposureBps }) => [
      timeMs / HOUR_MS,
      side,
      price,
      exposureBps,
    ]),
  ).toEqual([
    [1, 'buy', units('100.07'), 5_000],
    [4, 'sell', units('119.916'), 0],
  ])
  const [buy, sale] = result.trades
  expect(buy?.quantity).toBe((units('500') * 100_000_000n) / units('100.07'))
  const paid = (buy?.notional ?? 0n) + (buy?.fee ?? 0n)
  expect(sale?.profit).toBe((sale?.notional ?? 0n) - (sale?.fee ?? 0n) - paid)
  expect(result.platformFees).toBe(((sale?.profit ?? 0n) * 15n) / 100n)
  expect(result.netResult).toBe((sale?.profit ?? 0n) - result.platformFees)
  expect(sale && inEnglish(sale.reason)).toBe(
    'No trend turned. 1 of 4 trends is up; at these price swings, ' +
      '0% of the money for this coin is invested.',
  )
})

test('a new bot enters at the current exposure, without waiting for the next change', () => {
  const result = run({
    markets: [btc([100, 100, 100, 100, 100], wants([0, 0], [1, 3_000]))],
    fromMs: 3 * HOUR_MS,
  })
  expect(result.trades.map(({ timeMs, exposureBps }) => [timeMs / HOUR_MS, exposureBps])).toEqual([
    [3, 3_000],
  ])
})

test('a decision before a hole is executed at the first open after it', () => {
  const series = seriesOf(
    [0, 1, 5, 6].map((hour): Candle => {
      const price = units(String(100 + hour))
      return { openTimeMs: hour * HOUR_MS, open: price, high: price, low: price, close: price }
    }),
  )
  const result = run({
    markets: [{ pair: 'BTC/USDT', series, changes: wants([0, 0], [2, 5_000]) }],
  })
  expect(result.trades.map(({ timeMs, price }) => [timeMs / HOUR_MS, price])).toEqual([
    [5, units('105.0735')],
  ])
})

test('pairs trade in order of time and, within an hour, in the order of PAIRS', () => {
  const flat = candles({ closes: Array.from({ length: 6 }, () => 100) })
  const markets = [
    { pair: 'XRP/USDT', series: flat, changes: wants([0, 0], [1, 5_000]) },
    { pair: 'BTC/USDT', series: flat, changes: wants([0, 0], [1, 5_000], [3, 0]) },
    { pair: 'ETH/USDT', series: flat, changes: wants([0, 4_000]) },
  ] satisfies BacktestInput['markets']
  expect(run({ markets }).trades.map(({ timeMs, pair }) => [timeMs / HOUR_MS, pair])).toEqual([
    [0, 'ETH/USDT'],
    [1, 'BTC/USDT'],
    [1, 'XRP/USDT'],
    [3, 'BTC/USDT'],
  ])
})

test('a gain on one pair pays no platform fee if the other pair lost more', () => {
  const rising = btc([100, 100, 110, 110], wants([0, 10_000], [3, 0]))
  const falling = {
    pair: 'ETH/USDT' as Pair,
    series: candles({ closes: [100, 100, 70, 70] }),
    changes: wants([0, 10_000]),
  }
  expect(run({ markets: [rising] }).platformFees > 0n).toBe(true)
  expect(run({ markets: [rising, falling] }).platformFees).toBe(0n)
})

test('a sale pays no platform fee: its profit stays invested', () => {
  const closes = [100, 150, 150, 150, 60]
  const won = run({ markets: [btc(closes, wants([0, 10_000], [2, 0]))] })
  expect(won.portfolio.positions[0]?.cash).toBe(won.invested + (won.trades[1]?.profit ?? 0n))
  expect(won.platformFees > 0n).toBe(true)
  const lost = run({ markets: [btc(closes, wants([0, 10_000], [2, 0], [3, 10_000]))] })
  expect((lost.trades[1]?.profit ?? 0n) > 0n).toBe(true)
  expect(lost.netResult < 0n && lost.platformFees === 0n).toBe(true)
})

test('a point of the curve equals the amount that closing there would return', () => {
  const closes = [100, 150, 200, 120, 90, 180]
  const market = btc(closes, wants([0, 10_000]))
  const { curve } = run({ markets: [market], toMs: 6 * HOUR_MS, curvePoints: 7 })
  const closed = closes.map(
    (_close, hour) => run({ markets: [market], toMs: (hour + 1) * HOUR_MS }).equity,
  )
  expect(curve.map(({ equity }) => equity)).toEqual([common.invested, ...closed])
  const worth = run({ markets: [market], toMs: 3 * HOUR_MS, feeBps: 0 }).equity
  expect(curve[3]?.equity).toBe(worth - ((worth - common.invested) * 15n) / 100n)
})

test('a sleeve too small for an order counts as applied and does not retry', () => {
  const result = run({
    markets: [btc([100, 100, 0.0001, 0.0001], wants([0, 5_000]))],
    invested: 100n,
  })
  expect(result.trades).toEqual([])
  expect(result.portfolio.positions[0]?.appliedBps).toBe(5_000)
})

test('drawdown is measured at every close, including between the points of the curve', () => {
  const closes = Array.from({ length: 90 }, (_, hour) => (hour === 41 ? 50 : 100))
  const result = run({
    markets: [btc(closes, wants([0, 10_000]))],
    toMs: 90 * HOUR_MS,
    curvePoints: 4,
  })
  expect(result.maxDrawdown).toBeGreaterThan(0.49)
  expect(result.maxDrawdown).toBeLessThan(0.51)
  expect(result.curve.length).toBeLessThanOrEqual(4)
  expect(result.curve.at(-1)).toEqual({ timeMs: 90 * HOUR_MS, equity: result.equity })
})

test('buying and holding pays entry costs only', () => {
  const held = buyAndHold({ ...common, markets: [btc([100, 100, 200], [])], toMs: 3 * HOUR_MS })
  const { netResult, trades, platformFees, venueFees } = held
  expect(trades.map(({ side, reason }) => [side, inEnglish(reason)])).toEqual([
    ['buy', 'Bought to hold'],
  ])
  expect(platformFees).toBe(0n)
  expect(venueFees > units('0.99') && venueFees < units('1')).toBe(true)
  expect(netResult > units('994') && netResult < units('996')).toBe(true)
})

test('a backtest without candles in its period trades nothing and loses nothing', () => {
  const result = run({ markets: [btc([100, 100], wants([0, 5_000]))], fromMs: 50 * HOUR_MS })
  expect(result).toMatchObject({ trades: [], netResult: 0n, maxDrawdown: 0, equity: units('1000') })
})

const story = fc.record({
  closes: fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 40 }),
  steps: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 40 }),
  invested: fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 14n)),
})
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never
const marketOf = (pair: Pair, { closes, steps }: Story) => ({
  pair,
  series: candles({ closes }),
  changes: wants(...steps.map((percent, count): [number, number] => [count, percent * 100])),
})

test('no money is created: cash and cost equal investment plus profits, less one fee', () => {
  fc.assert(
    fc.property(story, story, (first, second) => {
      const { invested } = first
      const result = run({
        markets: [marketOf('BTC/USDT', first), marketOf('ETH/USDT', second)],
        invested,
      })
      const { positions } = result.portfolio
      const profits = result.trades.reduce((sum, trade) => sum + trade.profit, 0n)
      const [cost, cash] = [
        positions.reduce((sum, each) => sum + each.cost, 0n),
        positions.reduce((sum, each) => sum + each.cash, 0n),
      ]
      expect(cash + cost).toBe(invested + profits)
      expect(positions.every((position) => position.cash >= 0n && position.base >= 0n)).toBe(true)
      const worth = [first, second].reduce((sum, { closes }, which) => {
        const position = positions[which]
        return position ? sum + equityOf({ position, price: units(String(closes.at(-1))) }) : sum
      }, 0n)
      expect(result.platformFees).toBe(worth > invested ? ((worth - invested) * 15n) / 100n : 0n)
      expect(result.equity).toBe(worth - result.platformFees)
      expect(result.netResult).toBe(result.equity - invested)
    }),
  )
})

test('drawdown is that of the curve, after the fee', () => {
  const invested = units('1000')
  fc.assert(
    fc.property(story, story, (first, second) => {
      const toMs = 40 * HOUR_MS
      const result = run({
        markets: [marketOf('BTC/USDT', first), marketOf('ETH/USDT', second)],
        invested,
        toMs,
        curvePoints: 41,
      })
      expect(result.maxDrawdown).toBeCloseTo(maxDrawdown(result.curve), 5)
    }),
  )
})

test('the daily equity for ratios goes to the last close, at any hour of a day', () => {
  fc.assert(
    fc.property(story, fc.integer({ min: 0, max: 23 }), (own, firstHour) => {
      const fromMs = firstHour * HOUR_MS
      const series = candles({ ...own, firstHour })
      const invested = units('1000')
      const { daily, equity } = run({
        markets: [{ ...marketOf('BTC/USDT', own), series }],
        invested,
        fromMs,
        toMs: fromMs + 40 * HOUR_MS,
      })
      const midnights = Math.floor((firstHour + own.closes.length) / 24)
      const isCutOff = (firstHour + own.closes.length) % 24 > 0
      expect(daily.length).toBe(1 + midnights + (isCutOff ? 1 : 0))
      // A double has 15 digits, so very large sums lose the last ones.
      expect(Math.abs((daily.at(-1) ?? 0) - Number(equity))).toBeLessThanOrEqual(
        50 + Number(equity) * 1e-14,
      )
    }),
  )
})

test('a backtest continued at any hour ends like an uninterrupted one', () => {
  fc.assert(
    fc.property(story, story, fc.integer({ min: 1, max: 39 }), (first, second, hour) => {
      const toMs = 40 * HOUR_MS
      const input = {
        ...common,
        markets: [marketOf('BTC/USDT', first), marketOf('ETH/USDT', second)],
        invested: first.invested,
        toMs,
      }
      const [whole, before] = [backtest(input), backtest({ ...input, toMs: hour * HOUR_MS })]
      const after = backtest({ ...input, fromMs: hour * HOUR_MS, portfolio: before.portfolio })
      expect(after.portfolio).toEqual(whole.portfolio)
      expect([after.equity, after.platformFees, after.netResult]).toEqual([
        whole.equity,
        whole.platformFees,
        whole.netResult,
      ])
      expect(after.curve[0]).toEqual({ timeMs: hour * HOUR_MS, equity: before.equity })
    }),
  )
})
