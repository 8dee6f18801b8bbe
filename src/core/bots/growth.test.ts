import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { maxDrawdown, sharpe } from '#core/strategy/metrics.ts'
import { closingFee, partOf, PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { growthOf, type MoneyMove } from './growth.ts'

const curveOf = (...values: string[]) =>
  values.map((value, day) => ({ timeMs: day * DAY_MS, equity: units(value) }))
const moved = (day: number, amount: string): MoneyMove => ({
  timeMs: day * DAY_MS,
  amount: units(amount),
})
const levels = (curve: Parameters<typeof growthOf>[0], moves: MoneyMove[] = []) =>
  growthOf(curve, moves).map(({ equity }) => Number(equity) / 1e16)

test('without money in or out, growth follows the equity curve', () => {
  expect(levels(curveOf('200', '220', '165', '198'))).toEqual([1, 1.1, 0.825, 0.99])
})

test('a top-up is not a gain, and a take-out is not a loss', () => {
  const curve = curveOf('100', '100', '300', '300', '30', '30')
  const moves = [moved(2, '200'), moved(4, '-270')]
  expect(levels(curve, moves)).toEqual([1, 1, 1, 1, 1, 1])
  expect(maxDrawdown(growthOf(curve, moves))).toBe(0)
  expect(maxDrawdown(curve)).toBe(0.9)
})

test('a drawdown between a top-up and a take-out keeps its depth', () => {
  const curve = curveOf('100', '300', '225', '100', '120')
  const moves = [moved(1, '200'), moved(3, '-125')]
  expect(levels(curve, moves)).toEqual([1, 1, 0.75, 0.75, 0.9])
  expect(maxDrawdown(growthOf(curve, moves))).toBe(0.25)
})

test('money counts for the whole step in which it is added or taken out', () => {
  expect(levels(curveOf('100', '220'), [moved(0.5, '100')])).toEqual([1, 1.1])
  expect(levels(curveOf('100', '55'), [moved(0.5, '-55')])).toEqual([1, 1.1])
  expect(levels(curveOf('100', '165'), [moved(0.4, '100'), moved(0.6, '-55')])).toEqual([1, 1.1])
})

test('growth is measured only while the worth is a cent or more', () => {
  expect(levels(curveOf('0.01', '0.02'))).toEqual([1, 2])
  expect(levels(curveOf('0.00999999', '0.02'))).toEqual([1, 1])
})

test('moves before the first point or after the last are ignored', () => {
  expect(
    levels(curveOf('100', '110'), [moved(-1, '100'), moved(0, '100'), moved(2, '50')]),
  ).toEqual([1, 1.1])
})

test('a bot without money does not grow; new money continues from the last level', () => {
  expect(levels(curveOf('0', '100', '110'), [moved(1, '100')])).toEqual([1, 1, 1.1])
  expect(levels(curveOf('0', '5'))).toEqual([1, 1])
  expect(levels([])).toEqual([])
})

test('growth stays flat below one cent, where rounding outweighs the market', () => {
  expect(levels(curveOf('0.00000009', '0.00000003', '100', '90'), [moved(2, '100')])).toEqual(
    [1, 1, 1, 0.9].map((level) => expect.closeTo(level, 8)),
  )
})

test('a total loss shows as a drawdown of 1, and later money still has a Sharpe ratio', () => {
  const curve = [
    ...curveOf('100', '0'),
    ...Array.from({ length: 40 }, (_, day) => ({
      timeMs: (day + 2) * DAY_MS,
      equity: units('100') + BigInt(day % 2) * units('1'),
    })),
  ]
  const growth = growthOf(curve, [moved(2, '100')])
  expect(maxDrawdown(growth)).toBeCloseTo(1, 5)
  expect(sharpe(growth.map(({ equity }) => Number(equity)))).toBeLessThan(0)
})

test('the Sharpe ratio equals the ratio of the same bot without money in or out', () => {
  const rates = Array.from({ length: 40 }, (_, day) => (day % 3 === 0 ? 99n : 101n))
  let [still, busy] = [units('1000'), units('1000')]
  const [quiet, lively, moves] = [
    [{ timeMs: 0, equity: still }],
    [{ timeMs: 0, equity: busy }],
    [] as MoneyMove[],
  ]
  for (const [index, rate] of rates.entries()) {
    const timeMs = (index + 1) * DAY_MS
    still = (still * rate) / 100n
    busy = (busy * rate) / 100n
    quiet.push({ timeMs, equity: still })
    lively.push({ timeMs: timeMs - 1, equity: busy })
    if (index % 7 === 3) {
      const amount = index % 2 === 0 ? busy : -busy / 2n
      moves.push({ timeMs, amount })
      busy += amount
    }
    lively.push({ timeMs, equity: busy })
  }
  const daily = (growth: ReturnType<typeof growthOf>) =>
    growth.filter(({ timeMs }) => timeMs % DAY_MS === 0).map(({ equity }) => Number(equity))
  expect(moves.length).toBe(6)
  expect(sharpe(daily(growthOf(lively, moves)))).toBeCloseTo(
    sharpe(daily(growthOf(quiet, []))) ?? 0,
    6,
  )
})

test('a top-up, or a take-out net of the fee, moves growth only by rounding', () => {
  const worth = fc.bigInt({ min: units('10'), max: units('1000000') })
  fc.assert(
    fc.property(
      worth,
      worth,
      worth,
      fc.integer({ min: 100, max: 9_900 }),
      (before, invested, added, bps) => {
        const afterFee = (out: bigint, put: bigint) =>
          out - closingFee({ invested: put, out, feeBps: PERFORMANCE_FEE_BPS }).fee
        const out = partOf(before, bps)
        const part = partOf(invested, bps)
        const got = afterFee(out, part)
        const curve = [
          afterFee(before, invested),
          afterFee(before + added, invested + added),
          afterFee(before, invested),
          afterFee(before - out, invested - part),
        ]
        const moves = [
          { timeMs: 1, amount: added },
          { timeMs: 2, amount: -added },
          { timeMs: 3, amount: -got },
        ]
        const [, ...rest] = growthOf(
          curve.map((equity, timeMs) => ({ timeMs, equity })),
          moves,
        ).map(({ equity }) => Number(equity) / 1e16)
        for (const level of rest) expect(level).toBeCloseTo(1, 7)
      },
    ),
  )
})
