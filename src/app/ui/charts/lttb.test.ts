import { expect, test } from 'vitest'
import { downsample } from './curve.ts'

const wave = Array.from({ length: 10_000 }, (_, x) => ({ x, y: Math.sin(x / 200) }))

test('a line below the threshold is returned unchanged', () => {
  const line = wave.slice(0, 50)
  expect(downsample(line, 200)).toBe(line)
})

test('a long line is downsampled to the threshold', () => {
  expect(downsample(wave, 200)).toHaveLength(200)
})

test('the first and the last point stay', () => {
  const thinned = downsample(wave, 200)
  expect([thinned[0], thinned.at(-1)]).toEqual([wave[0], wave.at(-1)])
})

test('points stay in order of time', () => {
  const thinned = downsample(wave, 150)
  expect(
    thinned.every((point, index) => index === 0 || point.x > (thinned[index - 1]?.x ?? 0)),
  ).toBe(true)
})

test('a single spike among ten thousand points is kept', () => {
  const spiked = wave.map((point) => (point.x === 4_321 ? { ...point, y: 50 } : point))
  expect(downsample(spiked, 120)).toContainEqual({ x: 4_321, y: 50 })
})

test('an empty line stays empty', () => {
  expect(downsample([], 100)).toEqual([])
})
