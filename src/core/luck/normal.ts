import { assert } from '#core/assert.ts'

const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI)

function normalDensity(x: number): number {
  return Math.exp(-(x * x) / 2) / ROOT_OF_TWO_PI
}

/**
 * Share of the standard normal distribution below `x`, by its series about 0, summed until a
 * further term changes nothing (Marsaglia, "Evaluating the Normal Distribution", Journal of
 * Statistical Software 2004). Absolute error below 1e-15; 0 or 1 beyond ±8.
 */
export function normalBelow(x: number): number {
  if (Math.abs(x) > 8) return x < 0 ? 0 : 1
  let term = x
  let sum = x
  for (let odd = 3, before = Number.NaN; sum !== before && odd < 1_000; odd += 2) {
    before = sum
    term *= (x * x) / odd
    sum += term
  }
  return 0.5 + sum * normalDensity(x)
}

/**
 * Inverse of `normalBelow`. Newton's method from 0 approaches from one side, because the
 * distribution is concave above 0 and convex below. Error below 1e-8 for shares from 1e-7 to 1 −
 * 1e-7. Throws `AssertionFailed` unless `share` is between 0 and 1.
 */
export function normalQuantile(share: number): number {
  assert(share > 0 && share < 1, 'a quantile is of a share between 0 and 1')
  let x = 0
  for (let step = 0; step < 100; step += 1) {
    const correction = (share - normalBelow(x)) / normalDensity(x)
    x += correction
    if (Math.abs(correction) < 1e-13) break
  }
  return x
}
