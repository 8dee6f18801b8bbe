export type Point = { x: number; y: number }

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
 * The bucket's point that forms the largest triangle with the point kept before it and the mean of
 * the next bucket.
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
