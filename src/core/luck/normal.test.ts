import { expect, test } from 'vitest'
import { normalBelow, normalQuantile } from './normal.ts'

test.each([
  [0, 0.5],
  [1, 0.841344746068543],
  [-1, 0.158655253931457],
  [1.96, 0.97500210485178],
  [-3, 0.00134989803163009],
  [5, 0.999999713348428],
])('the share below %f equals the one in printed tables', (x, share) =>
  expect(Math.abs(normalBelow(x) - share)).toBeLessThan(1e-14),
)

test('the share below x is the area under the bell curve', () => {
  for (let x = -8; x <= 8; x += 0.37) expect(Math.abs(normalBelow(x) - area(x))).toBeLessThan(1e-12)
  expect([normalBelow(-9), normalBelow(9)]).toEqual([0, 1])
})

test('a quantile is the inverse of the share, within the error stated in its comment', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.95996398454005, 12)
  expect(normalQuantile(0.999)).toBeCloseTo(3.09023230616781, 10)
  expect(normalQuantile(1e-7)).toBeCloseTo(-5.19933758219274, 7)
  for (let share = 0.001; share < 1; share += 0.013)
    expect(normalBelow(normalQuantile(share))).toBeCloseTo(share, 13)
  expect(() => normalQuantile(1)).toThrow('between 0 and 1')
})

/** Simpson's rule from −9 on, as an independent computation. */
function area(x: number): number {
  const steps = 4_000
  const width = (x + 9) / steps
  let sum = 0
  for (let step = 0; step <= steps; step += 1) {
    const weight = step === 0 || step === steps ? 1 : step % 2 === 0 ? 2 : 4
    const at = -9 + step * width
    sum += weight * Math.exp(-(at * at) / 2)
  }
  return (sum * width) / 3 / Math.sqrt(2 * Math.PI)
}
