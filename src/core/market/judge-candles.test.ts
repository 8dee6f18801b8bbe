import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ONE } from '#core/money/amount.ts'
import { DAY_MS, HOUR_MS, type Candle } from './candle.ts'
import { intervalFault, judgeCandles } from './judge-candles.ts'

const FROM_MS = Date.UTC(2024, 0, 1)
const UNTIL_MS = Date.UTC(2025, 0, 1)

/** An hour apart, each with its close at a price in whole dollars. */
const at = (...prices: number[]): Candle[] =>
  prices.map((price, hour) => ({ openTimeMs: FROM_MS + hour * HOUR_MS, ...flat(price) }))

function flat(price: number): Omit<Candle, 'openTimeMs'> {
  const units = BigInt(price) * ONE
  return { open: units, high: units, low: units, close: units }
}

const faults = (candles: readonly Candle[]) => judgeCandles(candles, { untilMs: UNTIL_MS })
const outlier = (index: number) => [
  { index, fault: 'has prices 20 times those of the candles around it' },
]

const changed = (change: Partial<Candle>) =>
  faults(
    at(100, 100, 100).map((candle, index) => (index === 1 ? { ...candle, ...change } : candle)),
  )

test.each<[string, Partial<Candle>, string]>([
  ['a time within an hour', { openTimeMs: FROM_MS + HOUR_MS + 1 }, 'does not open at a whole hour'],
  ['a time that is no number', { openTimeMs: Number.NaN }, 'does not open at a whole hour'],
  [
    'seconds in place of milliseconds',
    { openTimeMs: 1_704_067_200 - (1_704_067_200 % HOUR_MS) },
    'is of 1970-01-20 17:00, before any coin was traded',
  ],
  [
    'a later year',
    { openTimeMs: Date.UTC(2035, 0, 1) },
    'is of 2035-01-01 00:00, an hour that is not over yet',
  ],
  ['a price of zero', { low: 0n }, 'has a price that is not above zero'],
  ['a negative price', { close: -ONE }, 'has a price that is not above zero'],
  [
    'a price beyond exact numbers',
    { high: 2n ** 53n },
    'has a price above 90 million, which is more than can be computed exactly',
  ],
  ['high and low exchanged', { high: 99n * ONE, low: 101n * ONE }, 'has a high below its low'],
  ['an open above the high', { open: 101n * ONE }, 'opens outside its high and low'],
  ['a close above the high', { close: 101n * ONE }, 'closes outside its high and low'],
  ['the same hour twice', { openTimeMs: FROM_MS }, 'repeats the hour 2024-01-01 00:00'],
  [
    'an earlier hour',
    { openTimeMs: FROM_MS - HOUR_MS },
    'is of 2023-12-31 23:00, earlier than the candle before it',
  ],
])('%s is refused', (_name, change, fault) => {
  expect(changed(change)).toEqual([{ index: 1, fault }])
})

test('good candles, holes between them and the widest true moves are accepted', () => {
  expect(faults(at(100, 1_999, 100, 6, 100))).toEqual([])
  expect(faults(at(100, 100, 100).filter((_candle, index) => index !== 1))).toEqual([])
})

test('prices 20 times their neighbors are refused, up and down, for one hour or several', () => {
  expect(faults(at(100, 2_000, 100))).toEqual(outlier(1))
  expect(faults(at(100, 5, 100))).toEqual(outlier(1))
  expect(faults(at(100, 100, 9_000, 9_000, 9_000, 100)).map(({ index }) => index)).toEqual([
    2, 3, 4,
  ])
  const wick = at(100, 100, 100).map((candle, index) =>
    index === 1 ? { ...candle, high: 2_500n * ONE } : candle,
  )
  expect(faults(wick)).toEqual(outlier(1))
})

test('prices that stay at a new level are accepted', () => {
  expect(faults(at(100, 100, ...Array.from({ length: 30 }, () => 4)))).toEqual([])
})

test('a jump is an outlier until a second candle confirms it, at either end of the series', () => {
  expect(faults(at(100, 100, 4_000))).toEqual(outlier(2))
  expect(faults(at(100, 100, 4_000, 4_100))).toEqual([])
  expect(faults(at(4_000, 100, 100))).toEqual(outlier(0))
  expect(faults(at(100, 4_000, 100)), 'the first is right').toEqual(outlier(1))
})

const hoursApart = (...gaps: number[]) => {
  let openTimeMs = FROM_MS
  return [0, ...gaps].map((gap) => ({ ...flat(100), openTimeMs: (openTimeMs += gap * HOUR_MS) }))
}
const times = (count: number, gap: number) => Array.from({ length: count }, () => gap)

test.each<[string, number[], string | undefined]>([
  ['hours', times(40, 1), undefined],
  ['hours with holes', [1, 5, 1, 30, 1, 1, 800, 1, 2, 2, 2], undefined],
  ['two candles around a hole of any length', [1, 100], undefined],
  ['one candle', [], 'one candle, which may be of any length'],
  ['seconds', times(40, 1 / 3_600), 'candles of 1 second'],
  ['quarters of an hour', times(40, 1 / 4), 'candles of 15 minutes'],
  ['four hours', times(40, 4), 'candles of 4 hours'],
  ['days with holes', [24, 24, 72, 24, 48], 'candles of 1 day'],
  ['weeks', times(40, 7 * 24), 'candles of 7 days'],
  ['days behind hours', [...times(40, 1), ...times(10, 24)], 'candles of 1 day beside hourly ones'],
  ['days before hours', [...times(10, 24), ...times(40, 1)], 'candles of 1 day'],
])('%s: %o', (_name, gaps, fault) => {
  expect(intervalFault(hoursApart(...gaps))).toBe(fault)
})

test('random holes among hourly candles do not change their interval', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: DAY_MS / HOUR_MS }), { maxLength: 9 }),
      (holes) => {
        expect(intervalFault(hoursApart(...times(10, 1), ...holes))).toBeUndefined()
      },
    ),
  )
})
