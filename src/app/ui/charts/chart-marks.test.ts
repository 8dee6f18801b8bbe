import { expect, test } from 'vitest'
import { placeOf } from './chart-marks.tsx'

const WIDTH = 330
const REM = 32
const SIGN = 40

function pixels(place: string): number {
  const [least = 0, share = 0, less = 0] = [
    ...(/([\d.]+)rem, ([\d.]+)%, 100% - ([\d.]+)rem/.exec(place)?.slice(1) ?? []),
  ].map(Number)
  return Math.max(least * REM, Math.min((share / 100) * WIDTH, WIDTH - less * REM))
}

test.each<[string, number[]]>([
  ['one at the start', [0]],
  ['two near the start', [0, 1 / 6]],
  ['two near the end', [5 / 6, 1]],
  ['six over the whole width', [0, 0.2, 0.4, 0.6, 0.8, 1]],
])(
  'at twice the text size, marks stay within the chart and do not overlap: %s',
  (_name, shares) => {
    const middles = shares.map((share, index) =>
      pixels(placeOf({ share, index, count: shares.length })),
    )
    expect(Math.min(...middles)).toBeGreaterThanOrEqual(SIGN / 2)
    expect(Math.max(...middles)).toBeLessThanOrEqual(WIDTH - SIGN / 2)
    const gaps = middles.slice(1).map((middle, index) => middle - (middles[index] ?? 0))
    expect(Math.min(SIGN, ...gaps)).toBeGreaterThanOrEqual(SIGN)
  },
)

test('a mark away from the edges is drawn at its time', () => {
  expect(pixels(placeOf({ share: 0.5, index: 1, count: 3 }))).toBe(WIDTH / 2)
})
