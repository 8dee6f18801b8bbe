import { assert } from '#core/assert.ts'
import type { SwingFeatures } from './swings.ts'
import type { ForecastRow } from './rows.ts'

/**
 * Forecasts the next day's variance by ridge regression on the averages of all pairs together
 * (Bollerslev, Hood, Huss and Pedersen 2018, "Risk Everywhere: Modeling and Managing Volatility"):
 * ln y = ln v_480 + a + Σ b·x. All coefficients zero is the plain formula, towards which the ridge
 * shrinks.
 */

const RIDGE = 0.001

/** `scale`: factor that turns the exponential of a mean logarithm into a mean. */
export type RangeCoefficients = { a: number; b: readonly number[]; scale: number }

/**
 * `rows`: at least one training row. Their order matters, because floating-point sums depend on it.
 */
export function coefficientsOf(rows: readonly ForecastRow[]): RangeCoefficients {
  const z = rows.map(({ target, plain }) => Math.log(target) - Math.log(plain))
  const means = featureMeans(rows)
  const deviations = means.map((mean, which) =>
    Math.sqrt(meanOf(rows, ({ features }) => (valueAt(features, which) - mean) ** 2)),
  )
  const zMean = z.reduce((sum, value) => sum + value, 0) / rows.length
  const standard = rows.map(({ features }) =>
    features.map((x, which) => (x - valueAt(means, which)) / valueAt(deviations, which)),
  )
  const gains = solveCholesky(...normalEquations(standard, { z, zMean }))
  const exact = gains.map((gain, which) => gain / valueAt(deviations, which))
  const b = exact.map(rounded)
  const a = rounded(zMean - sumOf(exact, (value, which) => value * valueAt(means, which)))
  const scale = rounded(meanOf(rows, (row) => row.target / varianceOf({ a, b, scale: 1 }, row)))
  return { a, b, scale }
}

/** Variance an hour: f = c·exp(ln v_480 + a + Σ b·x). */
export function varianceOf(
  { a, b, scale }: RangeCoefficients,
  { plain, features }: SwingFeatures,
): number {
  const terms = sumOf(b, (each, which) => each * valueAt(features, which))
  return scale * Math.exp(Math.log(plain) + a + terms)
}

/** To six decimals, halves up. */
export function rounded(value: number): number {
  return Math.floor(value * 1e6 + 0.5) / 1e6
}

/** ZᵀZ + 0.001·n·I, and Zᵀ(z − z̄). */
function normalEquations(
  standard: readonly number[][],
  { z, zMean }: { z: readonly number[]; zMean: number },
): [number[][], number[]] {
  const size = standard[0]?.length ?? 0
  const matrix = Array.from({ length: size }, () => Array.from({ length: size }, () => 0))
  const right = Array.from({ length: size }, () => 0)
  for (const [index, row] of standard.entries())
    for (const [i, x] of row.entries()) {
      right[i] = valueAt(right, i) + x * (valueAt(z, index) - zMean)
      const line = matrix[i] ?? []
      for (const [j, other] of row.entries()) line[j] = valueAt(line, j) + x * other
    }
  for (const [i, line] of matrix.entries()) line[i] = valueAt(line, i) + RIDGE * standard.length
  return [matrix, right]
}

/** Solves a symmetric positive definite system by its lower triangle L, where LLᵀ is the matrix. */
function solveCholesky(matrix: readonly number[][], right: readonly number[]): number[] {
  const lower: number[][] = matrix.map(() => [])
  const cell = (i: number, j: number) => valueAt(lower[i] ?? [], j)
  for (const [i, line] of lower.entries())
    for (let j = 0; j <= i; j += 1) {
      const known = sumOf(line.slice(0, j), (value, k) => value * cell(j, k))
      const rest = valueAt(matrix[i] ?? [], j) - known
      line[j] = i === j ? Math.sqrt(rest) : rest / cell(j, j)
    }
  const forward: number[] = []
  for (const [i, value] of right.entries())
    forward[i] = (value - sumOf(forward, (each, k) => cell(i, k) * each)) / cell(i, i)
  const solution = right.map(() => 0)
  for (let i = right.length - 1; i >= 0; i -= 1) {
    const later = sumOf(solution, (each, k) => (k > i ? cell(k, i) * each : 0))
    solution[i] = (valueAt(forward, i) - later) / cell(i, i)
  }
  return solution
}

function featureMeans(rows: readonly ForecastRow[]): number[] {
  const size = rows[0]?.features.length ?? 0
  return Array.from({ length: size }, (_, which) =>
    meanOf(rows, ({ features }) => valueAt(features, which)),
  )
}

export function meanOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return sumOf(items, of) / items.length
}

function sumOf<Item>(items: readonly Item[], of: (item: Item, index: number) => number): number {
  let sum = 0
  for (const [index, item] of items.entries()) sum += of(item, index)
  return sum
}

function valueAt(values: readonly number[], index: number): number {
  const value = values[index]
  assert(value !== undefined, 'as many values as features')
  return value
}
