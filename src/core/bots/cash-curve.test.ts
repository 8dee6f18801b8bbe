import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { interestOf } from '#core/trading/cash-yield.ts'
import { cashCurve, steadyCashCurve } from './cash-curve.ts'

const START = Date.UTC(2024, 0, 1)
const at = (days: number) => START + days * DAY_MS

test("cash earns each midnight's rate, follows money in and out, and stays above 0", () => {
  const moves = [
    { timeMs: at(0.5), amount: units('1000') },
    { timeMs: at(1.5), amount: units('500') },
    { timeMs: at(3.5), amount: units('-2000') },
  ]
  const yields = [1, 2, 3].map((day) => ({ midnightMs: at(day), rateBps: day === 3 ? 0 : 400 }))
  const first = units('1000') + interestOf(units('1000'), 400)
  const second = first + units('500') + interestOf(first + units('500'), 400)
  expect(
    cashCurve({ moves, yields, timesMs: [at(0.5), at(1), at(2), at(3), at(4)] }).map(
      ({ equity }) => equity,
    ),
  ).toEqual([units('1000'), first, second, second, 0n])
})

test('without rates, cash is the money that was put in', () => {
  const moves = [
    { timeMs: at(0), amount: units('10') },
    { timeMs: at(2), amount: units('5') },
  ]
  expect(
    cashCurve({ moves, yields: [], timesMs: [at(0), at(1), at(2)] }).map(({ equity }) => equity),
  ).toEqual([units('10'), units('10'), units('15')])
})

test('one amount at one rate earns interest at each midnight after its beginning', () => {
  const curve = steadyCashCurve({
    invested: units('1000'),
    rateBps: 400,
    fromMs: at(0),
    timesMs: [at(0), at(1) - HOUR_MS, at(1)],
  })
  expect(curve.map(({ equity }) => equity)).toEqual([
    units('1000'),
    units('1000'),
    units('1000') + interestOf(units('1000'), 400),
  ])
})
