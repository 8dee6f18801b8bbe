import { expect, test } from 'vitest'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { timeGrid, valueCurve, type Flow, type PoolPast } from './value-curve.ts'

/** Closes of 100, 110, 120 …; hour 3 has no candle. */
const btc = seriesOf(
  [0, 1, 2, 4, 5].map((hour): Candle => {
    const price = units(String(100 + hour * 10))
    return { openTimeMs: hour * HOUR_MS, open: price, high: price, low: price, close: price }
  }),
)

const POOL = 1
const past = (marks: PoolPast['marks']) =>
  new Map([[POOL, { pair: 'BTC/USDT', marks } satisfies PoolPast]])
const hours = (count: number) => Array.from({ length: count }, (_, hour) => hour * HOUR_MS)

type Curve = { owners: Flow[][]; marks?: PoolPast['marks']; timesMs: number[]; feeBps?: number }
const worth = ({ owners, marks = [], timesMs, feeBps = 0 }: Curve) =>
  valueCurve({
    owners: owners.map((flows) => ({ flows, feeBps })),
    pools: past(marks),
    timesMs,
    seriesOf: () => btc,
  }).map(({ equity }) => equity)

test('a deposit of 1,000, half in coins bought at 100 and sold at 140, has hourly values', () => {
  const flows: Flow[] = [
    { timeMs: 0, cash: units('1000') },
    { timeMs: HOUR_MS, pool: POOL, cash: -units('500'), base: units('5') },
    { timeMs: 5 * HOUR_MS, pool: POOL, cash: units('700'), base: -units('5') },
    { timeMs: 6 * HOUR_MS, cash: -units('200') },
  ]
  expect(worth({ owners: [flows], timesMs: hours(7) })).toEqual(
    ['1000', '1000', '1050', '1100', '1100', '1200', '1000'].map((value) => units(value)),
  )
})

test('units are worth their share of the pool after its last change', () => {
  const marks = [
    { timeMs: HOUR_MS, cash: units('1000'), base: 0n, units: 10n ** 15n },
    { timeMs: 2 * HOUR_MS, cash: units('450'), base: units('5'), units: 10n ** 15n },
    { timeMs: 5 * HOUR_MS, cash: units('1150'), base: 0n, units: 10n ** 15n },
  ]
  const flows: Flow[] = [
    { timeMs: 0, cash: units('100') },
    { timeMs: HOUR_MS, pool: POOL, cash: -units('100'), units: 10n ** 14n },
    { timeMs: 6 * HOUR_MS, pool: POOL, cash: units('115'), units: -(10n ** 14n) },
  ]
  expect(worth({ owners: [flows], marks, timesMs: hours(7) })).toEqual(
    ['100', '100', '100', '105', '105', '115', '115'].map((value) => units(value)),
  )
})

test('each bot pays the fee on its own profit, and cash pays none', () => {
  const won: Flow[] = [
    { timeMs: 0, cash: units('100'), invested: units('100') },
    { timeMs: 1, cash: units('20') },
  ]
  const lost: Flow[] = [
    { timeMs: 0, cash: units('100'), invested: units('100') },
    { timeMs: 1, cash: -units('20') },
  ]
  const cash: Flow[] = [{ timeMs: 0, cash: units('7'), invested: units('7') }]
  expect(worth({ owners: [won, lost, cash], timesMs: [0, 1], feeBps: 1_500 })).toEqual([
    units('207'),
    units('204'),
  ])
})

test('a coin has no value before its first candle closes; the open candle does not count', () => {
  const flows: Flow[] = [{ timeMs: 0, cash: 0n, pool: POOL, base: units('1') }]
  expect(worth({ owners: [flows], timesMs: [0, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS - 1] })).toEqual([
    0n,
    0n,
    units('100'),
    units('100'),
  ])
})

test('flows before the first time are included, flows after the last are not', () => {
  const flows: Flow[] = [
    { timeMs: -5, cash: 7n },
    { timeMs: 10, cash: 100n },
  ]
  expect(worth({ owners: [flows], timesMs: [0, 9] })).toEqual([7n, 7n])
})

test('a grid has both ends and evenly spaced whole hours, at most as many as requested', () => {
  const hours = (...times: number[]) => times.map((hour) => hour * HOUR_MS)
  const grid = (from: number, to: number, points: number) =>
    timeGrid({ fromMs: from * HOUR_MS, toMs: to * HOUR_MS, points })
  expect(grid(0.5, 3.25, 10)).toEqual(hours(0.5, 1, 2, 3, 3.25))
  expect(grid(0, 3, 10)).toEqual(hours(0, 1, 2, 3))
  expect(grid(1, 11, 5)).toEqual(hours(1, 4, 8, 11))
  expect(grid(3.5, 11.5, 4)).toEqual(hours(3.5, 4, 8, 11.5))
  expect(grid(5.25, 5.5, 100)).toEqual(hours(5.25, 5.5))
  expect(grid(5, 5, 100)).toEqual(hours(5))
  expect(grid(5, 4, 100)).toEqual(hours(4))
})
