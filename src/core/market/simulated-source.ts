import { HOURS_A_YEAR } from './candle.ts'
import { mix, nearlyNormal, uniformFrom } from './seeded.ts'

/**
 * A source of news that moves simulated prices: a wandering level with a volatility of about 1 a year. It is cut into segments of hours.
 * The levels at the boundaries are a cheap seeded sequence, the inside of a segment is a seeded bridge between them, so any window can
 * be made without its past, and goes on for ever.
 */
export type SourceSegment = {
  /** The level at the end of each hour; entry 0 is the level at the beginning of the segment. */
  levels: Float64Array
  /** The standard deviation of each hour, in the same unit; entry 0 is unused. */
  deviations: Float64Array
}

export const SEGMENT_HOURS = 1_000

/** Levels are pulled to zero slowly (half in two years): enough that prices stay in the realm of real ones, too little to trade on. */
const PULL = 0.5 ** (SEGMENT_HOURS / HOURS_A_YEAR / 2)

/** Calm and wild months: the log of the volatility at a boundary is this persistent, and deviates by so much. */
const CALM_PERSISTENCE = 0.7
const CALM_DEVIATION = 0.3

/** Clustering inside a segment, over a day or two. */
const CLUSTER_PERSISTENCE = 0.97
const CLUSTER_DEVIATION = 0.3

/** A jump comes about every three weeks, and is so many times an hour's usual move. */
const JUMP_CHANCE = 1 / 500
const JUMP_SIZE = 6

/** Variance of an hour's move in units of its usual one, jumps included. */
const HOUR_VARIANCE = 1 + JUMP_CHANCE * JUMP_SIZE ** 2

type SegmentBoundary = { level: number; logVolatility: number }

/** The segments `first` to `last` of a source. */
export function segmentsOf({ seed, source, first, last }: Span): SourceSegment[] {
  const marks = boundaries({ seed, source, first, last })
  return marks.slice(1).map((end, index) => fillSegment({ seed, source, segment: first + index, start: marks[index] ?? end, end }))
}

type Span = { seed: number; source: number; first: number; last: number }

/** The boundaries at the beginnings of segment `first` to `last` + 1, walked from the first segment of 1970: 9 steps a year. */
function boundaries({ seed, source, first, last }: Span): SegmentBoundary[] {
  const wanted: SegmentBoundary[] = []
  let level = 0
  let logVolatility = 0
  for (let segment = 0; segment <= last + 1; segment += 1) {
    if (segment >= first) wanted.push({ level, logVolatility })
    const uniform = uniformFrom(mix({ seed, stream: source, step: segment }))
    const next = CALM_PERSISTENCE * logVolatility + Math.sqrt(1 - CALM_PERSISTENCE ** 2) * CALM_DEVIATION * nearlyNormal(uniform)
    const variance = (varianceOf(logVolatility) + varianceOf(next)) / 2
    level = PULL * level + Math.sqrt((variance * SEGMENT_HOURS) / HOURS_A_YEAR) * nearlyNormal(uniform)
    logVolatility = next
  }
  return wanted
}

/** The inside of a segment: free moves, then tilted so that they end where the next segment begins. */
function fillSegment({ seed, source, segment, start, end }: {
  seed: number
  source: number
  segment: number
  start: SegmentBoundary
  end: SegmentBoundary
}): SourceSegment {
  const levels = new Float64Array(SEGMENT_HOURS + 1)
  const deviations = new Float64Array(SEGMENT_HOURS + 1)
  const shares = new Float64Array(SEGMENT_HOURS + 1)
  const uniform = uniformFrom(mix({ seed, stream: source, step: segment, salt: 1 }))
  const calmStep = (end.logVolatility - start.logVolatility) / SEGMENT_HOURS
  let cluster = CLUSTER_DEVIATION * nearlyNormal(uniform)
  let variance = 0
  let walked = 0
  for (let hour = 1; hour <= SEGMENT_HOURS; hour += 1) {
    cluster = CLUSTER_PERSISTENCE * cluster + CLUSTER_STEP * (uniform() - 0.5)
    const deviation = HOUR_DEVIATION * Math.exp(start.logVolatility + calmStep * hour + cluster - MEAN_CORRECTION)
    const jump = uniform() < JUMP_CHANCE ? JUMP_SIZE : 0
    walked += deviation * (nearlyNormal(uniform) + (jump && jump * nearlyNormal(uniform)))
    variance += deviation * deviation
    deviations[hour] = deviation
    levels[hour] = walked
    shares[hour] = variance
  }
  const tilt = (end.level - start.level - walked) / variance
  for (let hour = 0; hour <= SEGMENT_HOURS; hour += 1) levels[hour] = start.level + (levels[hour] ?? 0) + tilt * (shares[hour] ?? 0)
  return { levels, deviations }
}

/** Uniform steps with the variance that keeps the cluster's deviation. */
const CLUSTER_STEP = CLUSTER_DEVIATION * Math.sqrt(12 * (1 - CLUSTER_PERSISTENCE ** 2))

/** A lognormal's mean lies above its median; this brings the mean variance back to 1. */
const MEAN_CORRECTION = CALM_DEVIATION ** 2 + CLUSTER_DEVIATION ** 2

const HOUR_DEVIATION = 1 / Math.sqrt(HOURS_A_YEAR * HOUR_VARIANCE)

/** Mean 1 over all months. */
function varianceOf(logVolatility: number): number {
  return Math.exp(2 * (logVolatility - CALM_DEVIATION ** 2))
}
