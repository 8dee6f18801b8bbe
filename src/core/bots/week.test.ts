import { expect, test } from 'vitest'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import { ONE } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { bestAndWorst, countTrades, heldInstead, type WeekOfBot } from './week.ts'

test('trades are counted by side and coin', () => {
  expect(
    countTrades([
      { side: 'buy', pair: 'BTC/USDT' },
      { side: 'sell', pair: 'BTC/USDT' },
      { side: 'buy', pair: 'BTC/USDT' },
    ]),
  ).toEqual([
    { side: 'buy', coin: 'BTC', count: 2 },
    { side: 'sell', coin: 'BTC', count: 1 },
  ])
})

test.each([
  ['no sale', [null], null, null],
  ['one sale', [3n, null], 3n, null],
  ['three sales', [-2n, 3n, 1n], 3n, -2n],
])('of %s, the best and the worst are those with most and least profit', (_name, of, high, low) => {
  const { best, worst } = bestAndWorst(of.map((profit) => ({ profit })))
  expect([best?.profit ?? null, worst?.profit ?? null]).toEqual([high, low])
})

/** A coin closed at 100 in the first hour, at 200 in the second, and is at 400 now. */
const series = seriesOf(
  [100n, 200n].map((dollars, hour): Candle => {
    const price = dollars * ONE
    return { openTimeMs: hour * HOUR_MS, open: price, high: price, low: price, close: price }
  }),
)
const held = (...bots: Omit<WeekOfBot, 'pairs'>[]) => {
  const result = heldInstead(
    bots.map((bot) => ({ ...bot, pairs: ['BTC/USDT'] })),
    {
      fromMs: HOUR_MS,
      seriesOf: () => series,
      costs: { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 },
      priceOf: () => 400n * ONE,
    },
  )
  // An order leaves a few units of money in cash.
  return result && Math.round(Number(unitsToDecimal(result, 2)))
}

test("holding buys at the week's start, and with later money when that is invested", () => {
  const late = { timeMs: 2 * HOUR_MS, amount: 100n * ONE }
  expect(held({ worth: 100n * ONE, moves: [] })).toBe(300)
  expect(held({ worth: 0n, moves: [late] })).toBe(100)
  expect(held({ worth: 100n * ONE, moves: [] }, { worth: 0n, moves: [late] })).toBe(400)
})

test('a bot without money in this week does not count', () => {
  expect(held({ worth: 0n, moves: [] })).toBeUndefined()
})
