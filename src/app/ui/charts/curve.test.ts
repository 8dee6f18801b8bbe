import { expect, test } from 'vitest'
import { utcDayText } from '#app/ui/device/dates.ts'
import {
  curveSentence,
  gainsOf,
  heldAt,
  nearestIndex,
  pathOf,
  positionOf,
  scaleOf,
  stepPathOf,
  downsample,
} from './curve.ts'

const curve = [
  { at: '2026-01-01T00:00:00.000Z', value: '100.00' },
  { at: '2026-01-01T01:00:00.000Z', value: '150.00' },
  { at: '2026-01-01T04:00:00.000Z', value: '50.00' },
]
const scale = scaleOf([curve])
const box = { scale, width: 100, height: 10 }

test('the highest value is at the top, the lowest at the bottom, x proportional to time', () => {
  expect(curve.map((value) => positionOf(value, scale))).toEqual([
    { x: 0, y: 0.5 },
    { x: 0.25, y: 0 },
    { x: 1, y: 1 },
  ])
})

test('a flat line runs through the middle, at zero too', () => {
  for (const value of ['7.00', '0.00', '-7.00']) {
    const flat = { at: '2026-01-01T00:00:00.000Z', value }
    expect(positionOf(flat, scaleOf([[flat]])).y).toBe(0.5)
  }
})

test('a scale reaches at least 2 % above and below its middle', () => {
  const calm = [
    { at: '2026-01-01T00:00:00.000Z', value: '1000.00' },
    { at: '2026-01-01T01:00:00.000Z', value: '999.00' },
  ]
  const { lowest, range } = scaleOf([calm])
  expect([lowest, range]).toEqual([979_51000000n, 39_98000000n])
  const [first = 0, second = 0] = calm.map((value) => positionOf(value, scaleOf([calm])).y)
  expect(second - first).toBeCloseTo(1 / 39.98, 4)
  const wide = [
    { at: '2026-01-01T00:00:00.000Z', value: '1000.00' },
    { at: '2026-01-01T01:00:00.000Z', value: '1050.00' },
  ]
  expect(wide.map((value) => positionOf(value, scaleOf([wide])).y)).toEqual([1, 0])
})

test('the path starts with a move and draws lines', () => {
  expect(pathOf(curve, box)).toEqual({ line: 'M0 5L25 0L100 10', steps: '' })
})

test('the line breaks where money moved, and a separate line joins the ends', () => {
  const withdrawn = [
    { at: '2026-01-01T00:00:00.000Z', value: '150.00' },
    { at: '2026-01-01T01:59:59.999Z', value: '150.00' },
    { at: '2026-01-01T02:00:00.000Z', value: '50.00' },
    { at: '2026-01-01T04:00:00.000Z', value: '50.00' },
  ]
  expect(pathOf(withdrawn, box)).toEqual({ line: 'M0 0L50 0M50 10L100 10', steps: 'M50 0L50 10' })
})

test('a curve of steps holds each value until the next, and the last to the end', () => {
  const steps = curve.slice(0, 2)
  expect(stepPathOf(steps, box)).toBe('M0 5H25V0H100')
  expect(stepPathOf([], box)).toBe('')
  expect(
    ['2025-12-31T00:00:00.000Z', '2026-01-01T00:59:59.999Z', '2026-01-01T01:00:00.000Z'].map((at) =>
      heldAt(steps, at),
    ),
  ).toEqual(['100.00', '100.00', '150.00'])
})

test('the gains of a curve exclude the money put in, and keep the scale of the balance', () => {
  const grown = [
    curve[0],
    { at: '2026-01-01T01:00:00.000Z', value: '155.00' },
    { at: '2026-01-01T04:00:00.000Z', value: '149.00' },
  ].flatMap((point) => point ?? [])
  const gains = gainsOf(grown, curve.slice(0, 2))
  expect(gains.map(({ value }) => value)).toEqual(['0.00', '5.00', '-1.00'])
  expect(scaleOf([gains], '149.00')).toMatchObject({ lowest: -1_00000000n, range: 6_00000000n })
  expect(scaleOf([gains], '1000.00')).toMatchObject({ lowest: -18_00000000n, range: 40_00000000n })
})

test('a position on the chart selects the value nearest in time', () => {
  expect([0, 0.1, 0.2, 0.6, 0.7, 1].map((share) => nearestIndex(share, { curve, scale }))).toEqual([
    0, 0, 1, 1, 2, 2,
  ])
})

test('a curve is described in one sentence', () => {
  const days = [
    { at: '2026-01-01T12:00:00.000Z', value: '100.00' },
    { at: '2026-01-02T12:00:00.000Z', value: '80.50' },
    { at: '2026-01-03T12:00:00.000Z', value: '1250.00' },
  ]
  expect(curveSentence('Total Balance', days, utcDayText)).toBe(
    'Total Balance: from $100.00 (Jan 1, 2026) to $1,250.00 (Jan 3, 2026), lowest $80.50, ' +
      'highest $1,250.00.',
  )
})

test('an empty curve is described as having no values yet', () => {
  expect(curveSentence('Total Balance', [], utcDayText)).toBe('Total Balance: no values yet.')
})

const wave = Array.from({ length: 10_000 }, (_, x) => ({ x, y: Math.sin(x / 200) }))

test('a line of few points is drawn with all of them', () => {
  const line = wave.slice(0, 50)
  expect(downsample(line, 200)).toBe(line)
})

test('a long line is thinned to the requested number of points', () => {
  expect(downsample(wave, 200)).toHaveLength(200)
})

test('a thinned line keeps its first and its last point', () => {
  const thinned = downsample(wave, 200)
  expect([thinned[0], thinned.at(-1)]).toEqual([wave[0], wave.at(-1)])
})

test('the points of a thinned line stay in order of time', () => {
  const thinned = downsample(wave, 150)
  expect(
    thinned.every((point, index) => index === 0 || point.x > (thinned[index - 1]?.x ?? 0)),
  ).toBe(true)
})

test('a thinned line keeps a single spike among ten thousand points', () => {
  const spiked = wave.map((point) => (point.x === 4_321 ? { ...point, y: 50 } : point))
  expect(downsample(spiked, 120)).toContainEqual({ x: 4_321, y: 50 })
})

test('an empty line stays empty when it is thinned', () => {
  expect(downsample([], 100)).toEqual([])
})
