import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { ONE } from '#core/money/amount.ts'
import { setLanguageSource } from '#words/language.ts'
import { scaleOf } from './curve.ts'
import { timeTicks, valueTicks } from './ticks.ts'

const [at, later] = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
const between = (low: string, high: string) =>
  scaleOf([
    [
      { at, value: low },
      { at: later, value: high },
    ],
  ])
const texts = (low: string, high: string) => valueTicks(between(low, high)).map(({ text }) => text)

afterEach(() => setLanguageSource(() => 'en'))

test('in German, ticks have points between thousands', () => {
  setLanguageSource(() => 'de')
  expect(texts('980.00', '1030.00')).toEqual(['980\u00A0$', '1.000\u00A0$', '1.020\u00A0$'])
})

test.each([
  ['980.00', '1030.00', ['$980', '$1,000', '$1,020']],
  ['0.00', '1000.00', ['$0', '$1,000']],
  ['998.12', '998.15', ['$980', '$1,000']],
  ['9.80', '10.30', ['$9.80', '$10.00', '$10.20']],
  ['-12.00', '30.00', ['$0', '$20']],
  ['1234567.00', '7654321.00', ['$2,000,000', '$4,000,000', '$6,000,000']],
])('a scale from %s to %s shows %j', (low, high, expected) => {
  expect(texts(low, high)).toEqual(expected)
})

test('every scale has two or three values, all within the chart and at equal distances', () => {
  const cents = fc
    .integer({ min: 100, max: 100_000_000_00 })
    .map((amount) => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`)
  fc.assert(
    fc.property(cents, cents, (one, other) => {
      const ticks = valueTicks(between(one, other))
      expect(ticks.length === 2 || ticks.length === 3).toBe(true)
      for (const { y } of ticks) expect(y >= 0 && y <= 1).toBe(true)
      const [first = 0, second = 0, third = 2 * second - first] = ticks.map(({ y }) => y)
      expect(Math.abs(first - second - (second - third))).toBeLessThan(0.001)
      expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length)
    }),
  )
})

test('gains and losses have signs, and zero has none', () => {
  expect(valueTicks(between('-12.00', '30.00'), { signed: true }).map(({ text }) => text)).toEqual([
    '$0',
    '+$20',
  ])
  expect(valueTicks(between('-30.00', '12.00'), { signed: true }).map(({ text }) => text)).toEqual([
    '−$20',
    '$0',
  ])
})

test('a curve that never changes has no ticks', () => {
  expect(valueTicks({ startMs: 0, spanMs: 1, lowest: 0n, range: 0n })).toEqual([])
  expect(valueTicks({ startMs: 0, spanMs: 1, lowest: 5n * ONE, range: 0n })).toEqual([])
})

test('time ticks name the start, the middle and the end, each once', () => {
  const tickText = (timestamp: string) => timestamp.slice(8, 10)
  expect(timeTicks(between('1.00', '2.00'), { tickText })).toEqual({
    start: '01',
    middle: '02',
    end: '03',
  })
  expect(timeTicks(between('1.00', '2.00'), { tickText: () => 'Day 1' })).toEqual({
    start: 'Day 1',
    middle: undefined,
    end: 'Day 1',
  })
})
