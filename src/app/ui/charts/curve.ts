import { decimalToUnits } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/text.ts'
import { downsample, type Point } from './lttb.ts'

/** Market time (ISO 8601) and USD as decimal text. */
export type CurveValue = { at: string; value: string }

/** Maps time and value to the unit square, with y measured from the top. */
export type Scale = { startMs: number; spanMs: number; lowest: bigint; range: bigint }

/** Steps between the lowest and the highest value: bigint division would lose the fraction. */
const STEPS = 100_000n

/** More points than this are not visible. */
const MAX_POINTS = 240

/** One scale shared by several curves, so that they compare visually. */
export function scaleOf(curves: readonly (readonly CurveValue[])[]): Scale {
  const times = curves.flatMap((curve) => [curve[0], curve.at(-1)].flatMap((end) => (end ? [Date.parse(end.at)] : [])))
  const values = curves.flatMap((curve) => curve.map(({ value }) => decimalToUnits(value)))
  const startMs = Math.min(...times)
  const { lowest, highest } = extentOf(values)
  return { startMs, spanMs: Math.max(1, Math.max(...times) - startMs), lowest, range: highest - lowest }
}

/** The smallest and the largest of `values`; both 0 if there are none. */
export function extentOf(values: readonly bigint[]): { lowest: bigint; highest: bigint } {
  const first = values[0] ?? 0n
  return values.reduce(
    ({ lowest, highest }, value) => ({ lowest: value < lowest ? value : lowest, highest: value > highest ? value : highest }),
    { lowest: first, highest: first },
  )
}

/** A value's position in the unit square. A flat curve runs through the middle. */
export function positionOf({ at, value }: CurveValue, { startMs, spanMs, lowest, range }: Scale): Point {
  const x = (Date.parse(at) - startMs) / spanMs
  if (range === 0n) return { x, y: 0.5 }
  const steps = Number(((decimalToUnits(value) - lowest) * STEPS) / range)
  return { x, y: 1 - steps / Number(STEPS) }
}

/** SVG path data for a viewBox of `width` by `height`, downsampled to `MAX_POINTS`. */
export function pathOf(curve: readonly CurveValue[], { scale, width, height }: Box): string {
  const points = downsample(curve.map((value) => positionOf(value, scale)), MAX_POINTS)
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x * width)} ${round(y * height)}`).join('')
}

type Box = { scale: Scale; width: number; height: number }

function round(length: number): number {
  return Math.round(length * 10) / 10
}

/** Index of the value closest in time to `share`, the fraction (0 to 1) of the curve's width. */
export function nearestIndex(share: number, { curve, scale }: { curve: readonly CurveValue[]; scale: Scale }): number {
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

/** The points with the lowest and the highest value; undefined for an empty curve. */
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

/** A curve in one sentence, for screen readers. */
export function curveSentence(name: string, curve: readonly CurveValue[], dayText: (timestamp: string) => string): string {
  const first = curve[0]
  const last = curve.at(-1)
  const extremes = extremesOf(curve)
  if (!first || !last || !extremes) return `${name}: no values yet.`
  const text = ({ value }: CurveValue) => moneyText({ amount: value })
  return (
    `${name}: from ${text(first)} on ${dayText(first.at)} to ${text(last)} on ${dayText(last.at)}, ` +
    `lowest ${text(extremes.lowest)}, highest ${text(extremes.highest)}.`
  )
}
