import { AHEAD, type ForecastRow } from './rows.ts'
import { swingsAfter, valueAt, type KnownCandles, type SwingFeatures } from './swings.ts'

/**
 * Training and forecast: the next day's variance by ridge regression on the averages of all pairs
 * together (Bollerslev, Hood, Huss and Pedersen 2018, "Risk Everywhere: Modeling and Managing
 * Volatility"): ln y = ln v_480 + a + Σ b·x. With all coefficients zero, this is the plain formula,
 * towards which the ridge shrinks.
 */

const RIDGE = 0.001

/** `scale`: factor that turns the exponential of a mean logarithm into a mean. */
export type RangeCoefficients = { a: number; b: readonly number[]; scale: number }

/** `rows`: at least one. Their order matters, because floating-point sums depend on it. */
export function coefficientsOf(rows: readonly ForecastRow[]): RangeCoefficients {
  const z = columnOf(rows.map(({ target, plain }) => Math.log(target) - Math.log(plain)))
  const columns = Array.from(rows[0]?.features ?? [], (_, which) =>
    columnOf(rows.map(({ features }) => valueAt(features, which))),
  )
  const standard = columns.map(({ centred, deviation }) => centred.map((x) => x / deviation))
  const gains = solve(
    standard.map((one, i) => [
      ...standard.map((other, j) => dot(one, other) + (i === j ? RIDGE * rows.length : 0)),
      dot(one, z.centred),
    ]),
  )
  const exact = columns.map(({ deviation }, which) => valueAt(gains, which) / deviation)
  const b = exact.map(rounded)
  const a = rounded(z.mean - sumOf(columns, ({ mean }, which) => valueAt(exact, which) * mean))
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

/** S = √(24·f): the standard deviation of the logarithmic return over the next 24 candles. */
export function swingOf(variance: number): number {
  return Math.sqrt(AHEAD * variance)
}

/** The swing of the next 24 candles. Undefined if too few candles are known. */
export function swingAfter(model: RangeCoefficients, known: KnownCandles): number | undefined {
  const swings = swingsAfter(known)
  return swings && swingOf(varianceOf(model, swings))
}

/** To six decimals, halves up. */
export function rounded(value: number): number {
  return Math.floor(value * 1e6 + 0.5) / 1e6
}

function columnOf(values: readonly number[]) {
  const mean = meanOf(values, (value) => value)
  const centred = values.map((value) => value - mean)
  return { mean, centred, deviation: Math.sqrt(meanOf(centred, (value) => value ** 2)) }
}

/** Gauss-Jordan elimination. A positive definite matrix needs no row exchanges. */
function solve(lines: readonly number[][]): number[] {
  for (const [i, line] of lines.entries())
    for (const other of lines) {
      const factor = other === line ? 0 : valueAt(other, i) / valueAt(line, i)
      for (const [j, value] of line.entries()) other[j] = valueAt(other, j) - factor * value
    }
  return lines.map((line, i) => valueAt(line, lines.length) / valueAt(line, i))
}

function dot(one: readonly number[], other: readonly number[]): number {
  return sumOf(one, (value, index) => value * valueAt(other, index))
}

export function meanOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return sumOf(items, of) / items.length
}

export function sumOf<Item>(
  items: readonly Item[],
  of: (item: Item, index: number) => number,
): number {
  return items.reduce((sum, item, index) => sum + of(item, index), 0)
}
