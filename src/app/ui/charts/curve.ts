import { decimalToUnits } from '#core/money/decimal.ts'
import { downsample, type Point } from './lttb.ts'

/** Market time (ISO 8601) and USD as decimal text. */
export type CurveValue = { at: string; value: string }

/** The box that a curve is drawn into: shares of width and height, 0 to 1, y from the top. */
export type Scale = { startMs: number; spanMs: number; lowest: bigint; range: bigint }

const PARTS = 100_000n

/** One scale for several curves, so that they can be compared by eye. */
export function scaleOf(curves: readonly (readonly CurveValue[])[]): Scale {
  const times = curves.flatMap((curve) => [curve[0], curve.at(-1)].flatMap((end) => (end ? [Date.parse(end.at)] : [])))
  const values = curves.flatMap((curve) => curve.map(({ value }) => decimalToUnits(value)))
  const startMs = Math.min(...times)
  const lowest = values.reduce((least, value) => (value < least ? value : least), values[0] ?? 0n)
  const highest = values.reduce((most, value) => (value > most ? value : most), values[0] ?? 0n)
  return { startMs, spanMs: Math.max(1, Math.max(...times) - startMs), lowest, range: highest - lowest }
}

/** Where a value stands in the box. A line without any change runs through the middle. */
export function placeOf({ at, value }: CurveValue, { startMs, spanMs, lowest, range }: Scale): Point {
  const x = (Date.parse(at) - startMs) / spanMs
  if (range === 0n) return { x, y: 0.5 }
  const parts = Number(((decimalToUnits(value) - lowest) * PARTS) / range)
  return { x, y: 1 - parts / Number(PARTS) }
}

/** An SVG path in a box of `width` by `height`, thinned to at most `most` points. */
export function pathOf(curve: readonly CurveValue[], { scale, width, height, most = 240 }: Box): string {
  const points = downsample(curve.map((value) => placeOf(value, scale)), most)
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x * width)} ${round(y * height)}`).join('')
}

type Box = { scale: Scale; width: number; height: number; most?: number }

function round(share: number): number {
  return Math.round(share * 10) / 10
}

/** Index of the value nearest to `share` (0 to 1) of the way across. */
export function nearestTo(share: number, { curve, scale }: { curve: readonly CurveValue[]; scale: Scale }): number {
  const wantedMs = scale.startMs + share * scale.spanMs
  let low = 0
  let high = curve.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (Date.parse(curve[middle]?.at ?? '') < wantedMs) low = middle + 1
    else high = middle
  }
  const before = curve[low - 1]
  const here = curve[low]
  if (!before || !here) return low
  return wantedMs - Date.parse(before.at) < Date.parse(here.at) - wantedMs ? low - 1 : low
}

/** The lowest and the highest value of a curve. */
export function extremesOf(curve: readonly CurveValue[]): { lowest: CurveValue; highest: CurveValue } | undefined {
  const first = curve[0]
  if (!first) return undefined
  return curve.reduce(
    ({ lowest, highest }, point) => ({
      lowest: decimalToUnits(point.value) < decimalToUnits(lowest.value) ? point : lowest,
      highest: decimalToUnits(point.value) > decimalToUnits(highest.value) ? point : highest,
    }),
    { lowest: first, highest: first },
  )
}
