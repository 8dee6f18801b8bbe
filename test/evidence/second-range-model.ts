/**
 * The range model a second time, written from the formulas of docs/models/range-24h.md alone. Its
 * averages are sums with explicit weights, its ridge is solved by elimination, and it knows nothing
 * of the product's series.
 */

export type PlainCoin = { times: readonly number[]; closes: readonly number[] }
type Row = { at: number; known: number; v: number; x: number[]; y: number; q: number }
export type SecondModel = { a: number; b: number[]; c: number; rows: number }

const HOUR = 3_600_000
const LIVES = [6, 24, 72, 168, 1_440]

export function secondRows(coins: readonly PlainCoin[]): Row[] {
  return coins.flatMap(rowsOf).toSorted((one, other) => one.at - other.at)
}

function rowsOf({ times, closes }: PlainCoin): Row[] {
  const squares = closes.map((close, hour) =>
    hour === 0 ? 0 : Math.min(0.25, Math.log(close / (closes[hour - 1] ?? 0)) ** 2),
  )
  const weights = new Map([...LIVES, 480].map((life) => [life, weightsOf(life)]))
  const average = (life: number, hour: number) => {
    const of = weights.get(life) ?? []
    let [sum, whole] = [0, 0]
    for (let back = 0; back < Math.min(8_640, hour); back += 1) {
      sum += (of[back] ?? 0) * (squares[hour - back] ?? 0)
      whole += of[back] ?? 0
    }
    return sum / whole
  }
  const rows: Row[] = []
  for (let hour = 1_920; hour + 24 < closes.length; hour += 1) {
    const at = (times[hour] ?? 0) + HOUR
    if (at % (24 * HOUR) !== 0) continue
    const v = average(480, hour)
    const y = squares.slice(hour + 1, hour + 25).reduce((sum, each) => sum + each) / 24
    rows.push({
      at,
      known: (times[hour + 24] ?? 0) + HOUR,
      v,
      x: LIVES.map((life) => Math.log(average(life, hour) / v)),
      y,
      q: Math.log((closes[hour + 24] ?? 0) / (closes[hour] ?? 0)),
    })
  }
  return rows
}

function weightsOf(life: number): Float64Array {
  return Float64Array.from({ length: 8_640 }, (_, back) => 2 ** (-back / life))
}

/** Solves the normal equations of the uncentered problem, with an explicit mean, by elimination. */
export function secondModel(rows: readonly Row[]): SecondModel {
  const n = rows.length
  const mean = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0) / n
  const z = (row: Row) => Math.log(row.y / row.v)
  const m = LIVES.map((_, j) => mean(({ x }) => x[j] ?? 0))
  const s = m.map((middle, j) => Math.sqrt(mean(({ x }) => (x[j] ?? 0) ** 2) - middle ** 2))
  const Z = (row: Row, j: number) => ((row.x[j] ?? 0) - (m[j] ?? 0)) / (s[j] ?? 1)
  const zBar = mean(z)
  const lines = m.map((_, i) => [
    ...m.map((_each, j) => mean((row) => Z(row, i) * Z(row, j)) + (i === j ? 0.001 : 0)),
    mean((row) => Z(row, i) * (z(row) - zBar)),
  ])
  const b = eliminated(lines).map((g, j) => g / (s[j] ?? 1))
  const model = { a: six(zBar - b.reduce((sum, each, j) => sum + each * (m[j] ?? 0), 0)), c: 1 }
  const rounded = { ...model, b: b.map(six), rows: n }
  return { ...rounded, c: six(mean((row) => row.y / secondVariance(rounded, row))) }
}

export function secondVariance({ a, b, c }: SecondModel, { v, x }: Row): number {
  return (
    c * v * Math.exp(a) * x.reduce((product, each, j) => product * Math.exp(each * (b[j] ?? 0)), 1)
  )
}

/** c₀, by which the plain formula is compared with the model. */
export function secondPlainScale(rows: readonly Row[]): number {
  return six(rows.reduce((sum, { y, v }) => sum + y / v, 0) / rows.length)
}

function eliminated(lines: number[][]): number[] {
  for (const [i, line] of lines.entries()) {
    const pivot = line[i] ?? 1
    for (const [k, other] of lines.entries()) {
      const factor = k === i ? 0 : (other[i] ?? 0) / pivot
      for (const [j, value] of line.entries()) other[j] = (other[j] ?? 0) - factor * value
    }
  }
  return lines.map((line, i) => (line.at(-1) ?? 0) / (line[i] ?? 1))
}

function six(value: number): number {
  return Math.floor(value * 1e6 + 0.5) / 1e6
}
