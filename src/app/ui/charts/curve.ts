import { decimalToUnits } from '#core/money/decimal.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { differenceOf } from '#app/ui/money/amount-text.ts'

/** Market time (ISO 8601) and USD as decimal text. */
export type CurveValue = { at: string; value: string }
export type Curve = readonly CurveValue[]

export type ChartTime = {
  dayText: (timestamp: string) => string
  momentText: (timestamp: string) => string
  tickText: (timestamp: string, spanMs: number) => string
}

/** Maps time and value to the unit square, with y measured from the top. */
export type Scale = { startMs: number; spanMs: number; lowest: bigint; range: bigint }

/**
 * Number of steps between the lowest and the highest value, because bigint division drops the
 * fraction.
 */
const STEPS = 100_000n

/** Maximum points of a line. More would not be visible. */
const MAX_POINTS = 240

/**
 * A chart spans at least a twenty-fifth of its middle value, ±2 %, so that a loss of a tenth of a
 * percent does not fill its height.
 */
const LEAST_PART = 25n

/**
 * One scale shared by several curves, so that they compare visually. `worth`: for gains, the worth
 * to which the minimum span refers.
 */
export function scaleOf(curves: readonly Curve[], worth?: string): Scale {
  const times = curves.flatMap((curve) =>
    [curve[0], curve.at(-1)].flatMap((end) => (end ? [Date.parse(end.at)] : [])),
  )
  const values = curves.flatMap((curve) => curve.map(({ value }) => decimalToUnits(value)))
  const startMs = Math.min(...times)
  return {
    startMs,
    spanMs: Math.max(1, Math.max(...times) - startMs),
    ...widened(extentOf(values), worth),
  }
}

function widened(
  { lowest, highest }: { lowest: bigint; highest: bigint },
  worth: string | undefined,
): Pick<Scale, 'lowest' | 'range'> {
  const range = highest - lowest
  const middle = (lowest + highest) / 2n
  const whole = worth === undefined ? middle : decimalToUnits(worth)
  const least = (whole < 0n ? -whole : whole) / LEAST_PART
  return range >= least ? { lowest, range } : { lowest: middle - least / 2n, range: least }
}

export function extentOf(values: readonly bigint[]): { lowest: bigint; highest: bigint } {
  const first = values[0] ?? 0n
  return values.reduce(
    ({ lowest, highest }, value) => ({
      lowest: value < lowest ? value : lowest,
      highest: value > highest ? value : highest,
    }),
    { lowest: first, highest: first },
  )
}

/** A value's position in the unit square. A flat curve runs through the middle. */
export function positionOf({ at, value }: CurveValue, scale: Scale): Point {
  return {
    x: (Date.parse(at) - scale.startMs) / scale.spanMs,
    y: heightOf(decimalToUnits(value), scale),
  }
}

export function heightOf(value: bigint, { lowest, range }: Scale): number {
  if (range === 0n) return 0.5
  return 1 - Number(((value - lowest) * STEPS) / range) / Number(STEPS)
}

type Box = { scale: Scale; width: number; height: number }

/**
 * SVG path data in whole units of a viewBox of `width` by `height`, downsampled to `MAX_POINTS`.
 * The line is broken where money came in or went out, because such a step is neither a gain nor a
 * loss. `steps`: joins the broken ends.
 */
export function pathOf(curve: Curve, box: Box): { line: string; steps: string } {
  const parts = unbroken(curve)
  const points = Math.max(4, Math.floor(MAX_POINTS / Math.max(1, parts.length)))
  const line = parts
    .map((part) =>
      lineOf(
        downsample(
          part.map((value) => positionOf(value, box.scale)),
          points,
        ),
        box,
      ),
    )
    .join('')
  const steps = parts.slice(1).map((part, index) =>
    lineOf(
      [parts[index]?.at(-1), part[0]].flatMap((end) => (end ? [positionOf(end, box.scale)] : [])),
      box,
    ),
  )
  return { line, steps: steps.join('') }
}

function lineOf(points: readonly Point[], { width, height }: Box): string {
  return points
    .map(
      ({ x, y }, index) =>
        `${index === 0 ? 'M' : 'L'}${Math.round(x * width)} ${Math.round(y * height)}`,
    )
    .join('')
}

/**
 * Splits a curve at its steps: the server sends a point right before a step and one at it, a
 * millisecond apart.
 */
function unbroken(curve: Curve): CurveValue[][] {
  const parts: CurveValue[][] = []
  let beforeMs = Number.NEGATIVE_INFINITY
  for (const point of curve) {
    const timeMs = Date.parse(point.at)
    if (timeMs - beforeMs > 1 && beforeMs !== Number.NEGATIVE_INFINITY) parts.at(-1)?.push(point)
    else parts.push([point])
    beforeMs = timeMs
  }
  return parts
}

/** SVG path data of a curve that holds each value until the next, to the end of the chart. */
export function stepPathOf(curve: Curve, { scale, width, height }: Box): string {
  const places = curve.map((value) => positionOf(value, scale))
  const steps = places.map(({ x, y }, index) => {
    const [left, top] = [Math.round(x * width), Math.round(y * height)]
    return index === 0 ? `M${left} ${top}` : `H${left}V${top}`
  })
  return places.length === 0 ? '' : `${steps.join('')}H${width}`
}

/** Index of the value closest in time to `share`, the fraction (0 to 1) of the curve's width. */
export function nearestIndex(
  share: number,
  { curve, scale }: { curve: Curve; scale: Scale },
): number {
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

export function heldAt(curve: Curve, at: string): string | undefined {
  return (curve.findLast((point) => Date.parse(point.at) <= Date.parse(at)) ?? curve[0])?.value
}

/** The gains in a curve: its values minus the money that was put in. */
export function gainsOf(curve: Curve, baseline: Curve): CurveValue[] {
  return curve.map(({ at, value }) => ({
    at,
    value: differenceOf(value, heldAt(baseline, at) ?? '0'),
  }))
}

export function curveSentence(
  name: string,
  curve: Curve,
  dayText: (timestamp: string) => string,
): string {
  const first = curve[0]
  const last = curve.at(-1)
  if (!first || !last) return t('{name}: no values yet.', { name })
  const { lowest, highest } = extentOf(curve.map(({ value }) => decimalToUnits(value)))
  const text = (amount: string | bigint) => moneyText({ amount })
  return t(
    '{name}: from {first} ({firstDay}) to {last} ({lastDay}), lowest {lowest}, highest {highest}.',
    {
      name,
      first: text(first.value),
      firstDay: dayText(first.at),
      last: text(last.value),
      lastDay: dayText(last.at),
      lowest: text(lowest),
      highest: text(highest),
    },
  )
}

type Point = { x: number; y: number }

/**
 * Largest-Triangle-Three-Buckets: keeps `threshold` of the points so that the drawn line retains
 * its peaks and troughs. Source: Steinarsson, "Downsampling Time Series for Visual Representation",
 * 2013. The first and the last point always stay.
 */
export function downsample(points: readonly Point[], threshold: number): readonly Point[] {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last || threshold < 3 || points.length <= threshold) return points
  const bucket = (points.length - 2) / (threshold - 2)
  const kept = [first]
  for (let index = 0; index < threshold - 2; index++) {
    const from = Math.floor(index * bucket) + 1
    const to = Math.floor((index + 1) * bucket) + 1
    const next = average(points, {
      from: to,
      to: Math.min(Math.floor((index + 2) * bucket) + 1, points.length),
    })
    kept.push(farthest(points, { from, to, before: kept.at(-1) ?? first, next }))
  }
  return [...kept, last]
}

function average(points: readonly Point[], { from, to }: { from: number; to: number }): Point {
  let x = 0
  let y = 0
  for (const point of points.slice(from, to)) {
    x += point.x
    y += point.y
  }
  const count = Math.max(1, to - from)
  return { x: x / count, y: y / count }
}

/**
 * The bucket's point that forms the largest triangle with the previously chosen point and the mean
 * of the next bucket.
 */
function farthest(
  points: readonly Point[],
  { from, to, before, next }: { from: number; to: number; before: Point; next: Point },
): Point {
  let best = before
  let largest = -1
  for (const point of points.slice(from, to)) {
    const area = Math.abs(
      (before.x - next.x) * (point.y - before.y) - (before.x - point.x) * (next.y - before.y),
    )
    if (area > largest) {
      largest = area
      best = point
    }
  }
  return best
}
