import { expect, test } from 'vitest'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { seriesOf, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits as units, unitsToDecimal } from '#core/money/decimal.ts'
import { buyAndHold } from '#core/strategy/backtest.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import type { MoneyMove } from './growth.ts'
import { holdFlows } from './hold-flows.ts'
import { valueCurve } from './value-curve.ts'

const FREE = { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 }
const BTC: Pair = 'BTC/USDT'
const XRP: Pair = 'XRP/USDT'

/** Candles from hour 0 on; each opens `gap` above the previous close. */
const closesOf = (closes: number[], gap = 0) =>
  seriesOf(
    closes.map((price, hour): Candle => {
      const [open, close] = [units(String((closes[hour - 1] ?? price) + gap)), units(String(price))]
      return {
        openTimeMs: hour * HOUR_MS,
        open,
        high: open > close ? open : close,
        low: open < close ? open : close,
        close,
      }
    }),
  )

type Hold = {
  market: Map<Pair, CandleSeries>
  moves: [hour: number, amount: string][]
  costs?: typeof FREE
}
const seriesIn = (market: Hold['market']) => (pair: Pair) => market.get(pair) ?? seriesOf([])
const planned = ({ market, moves, costs = FREE }: Hold) =>
  holdFlows({
    pairs: [...market.keys()],
    seriesOf: seriesIn(market),
    costs,
    moves: moves.map(([hour, amount]): MoneyMove => ({
      timeMs: hour * HOUR_MS,
      amount: units(amount),
    })),
  })
const worth = (hold: Hold, hours: number[]) => {
  const { flows, pools } = planned(hold)
  return valueCurve({
    owners: [{ flows, feeBps: 0 }],
    pools,
    seriesOf: seriesIn(hold.market),
    timesMs: hours.map((hour) => hour * HOUR_MS),
  }).map(({ equity }) => equity)
}
/** Rounded to whole dollars: the rounding reserve of an order is far below one. */
const dollars = (amounts: bigint[]) =>
  amounts.map((amount) => Math.round(Number(unitsToDecimal(amount, 2))))

test('the investment is split over the pairs, buys at the last close and is held', () => {
  const market = new Map([
    [BTC, closesOf([100, 100, 110, 120])],
    [XRP, closesOf([2, 2, 2, 1])],
  ])
  expect(dollars(worth({ market, moves: [[1, '10000']] }, [1, 2, 3, 4]))).toEqual(
    [10_000, 10_000, 10_500, 8_500].map((value) => expect.closeTo(value, -0.7)),
  )
})

test('a top-up buys at the last close before it, costs included', () => {
  const market = new Map([[BTC, closesOf([100, 100, 200, 400])]])
  expect(
    dollars(
      worth(
        {
          market,
          moves: [
            [1, '1000'],
            [3, '1000'],
          ],
        },
        [2, 3, 4],
      ),
    ),
  ).toEqual([1_000, 3_000, 6_000].map((value) => expect.closeTo(value, -0.7)))
  const [first = 0n, second = 0n] = worth(
    {
      market,
      moves: [
        [1, '1000'],
        [3, '1000'],
      ],
      costs: VENUE_COSTS.binance,
    },
    [1, 3],
  )
  const [cost, more] = [units('1000') - first, first * 2n + units('1000') - second]
  for (const paid of [cost, more]) {
    expect(paid).toBeGreaterThan(units('1'))
    expect(paid).toBeLessThan(units('3'))
  }
})

test('a take-out takes its share of every holding', () => {
  const market = new Map([
    [BTC, closesOf([100, 200, 200, 100])],
    [XRP, closesOf([2, 1, 1, 2])],
  ])
  const hold: Hold = {
    market,
    moves: [
      [1, '1000'],
      [3, '-250'],
    ],
  }
  const [before = 0n, after = 0n, later = 0n] = worth(hold, [2, 3, 4])
  expect(before - after).toBeLessThanOrEqual(units('250'))
  expect(before - after).toBeGreaterThan(units('250') - 300n)
  const without = worth({ market, moves: [[1, '1000']] }, [4])[0] ?? 0n
  expect(Number(later) / Number(without)).toBeCloseTo(1 - 250 / 1250, 4)
  const { flows } = planned(hold)
  expect(
    flows.filter(({ timeMs, base }) => timeMs === 3 * HOUR_MS && base !== undefined && base < 0n),
  ).toHaveLength(2)
})

test('buy and hold is worth nothing after more was taken out than it was worth', () => {
  const market = new Map([
    [BTC, closesOf([100, 50, 50, 100])],
    [XRP, closesOf([2, 1, 1, 2])],
  ])
  expect(
    worth(
      {
        market,
        moves: [
          [1, '1000'],
          [3, '-700'],
        ],
      },
      [3, 4],
    ),
  ).toEqual([0n, 0n])
  expect(
    dollars(
      worth(
        {
          market,
          moves: [
            [1, '1000'],
            [3, '-700'],
            [3, '100'],
          ],
        },
        [3, 4],
      ),
    ),
  ).toEqual([100, 200].map((value) => expect.closeTo(value, -0.7)))
})

test('an empty bot returns nothing; money for a pair without a price stays cash', () => {
  const market = new Map([
    [BTC, closesOf([100, 100])],
    [XRP, seriesOf([])],
  ])
  expect(planned({ market, moves: [[1, '-5']] }).flows).toEqual([])
  expect(dollars(worth({ market, moves: [[1, '1000']] }, [1]))).toEqual(
    [1_000].map((value) => expect.closeTo(value, -0.7)),
  )
  expect(
    planned({ market, moves: [[1, '1000']] }).flows.filter(({ pool }) => pool !== undefined),
  ).toHaveLength(1)
})

test('without later flows the result equals holding, except for the entry price', () => {
  const series = closesOf([100, 103, 99, 120, 90, 130], 0.5)
  const market = new Map([[BTC, series]])
  const money = {
    strategy: 'hold',
    invested: units('1000'),
    costs: VENUE_COSTS.binance,
    feeBps: 0,
  } as const
  const held = buyAndHold({
    ...money,
    markets: [{ pair: BTC, series }],
    fromMs: 2 * HOUR_MS,
    toMs: 6 * HOUR_MS,
    curvePoints: 5,
  }).curve.slice(1)
  const now = worth(
    { market, moves: [[2, '1000']], costs: VENUE_COSTS.binance },
    held.map(({ timeMs }) => timeMs / HOUR_MS),
  )
  expect(held).toHaveLength(4)
  // Bought at the previous close of 103 instead of the open of 103.5.
  for (const [index, { equity }] of held.entries())
    expect(Number(now[index]) / Number(equity)).toBeCloseTo(103.5 / 103, 3)
})
