import { HOURS_A_YEAR } from './candle.ts'
import { mix, nearlyNormal, uniformFrom } from './seeded.ts'

/**
 * A source of news that moves simulated prices: a random walk with a volatility of about 1 a year, cut into segments of hours. A cheap
 * seeded sequence gives the levels at the boundaries, and a seeded bridge between them fills each segment. Any window can thus be
 * generated without its past, and the walk never ends.
 */
export type NewsSegment = {
  /** Log level at the end of each hour; entry 0 is the level at the start of the segment. */
  levels: Float64Array
  /** The standard deviation of each hour, in the same unit; entry 0 is unused. */
  deviations: Float64Array
}

export const SEGMENT_HOURS = 1_000

/** Levels revert to zero slowly (half in two years): enough to keep prices realistic, too little to trade on. */
const PULL = 0.5 ** (SEGMENT_HOURS / HOURS_A_YEAR / 2)

/** Calm and wild months: persistence and standard deviation of the log volatility at the boundaries. */
const CALM_PERSISTENCE = 0.7
const CALM_DEVIATION = 0.3

/** Volatility clusters within a segment, over a day or two. */
const CLUSTER_PERSISTENCE = 0.97
const CLUSTER_DEVIATION = 0.3

/** Chance of a jump in an hour (about one in three weeks), and its size as a multiple of the typical hourly move. */
const JUMP_CHANCE = 1 / 500
const JUMP_SIZE = 6

/** Variance of an hourly move with jumps, relative to one without. */
const HOUR_VARIANCE = 1 + JUMP_CHANCE * JUMP_SIZE ** 2

type SegmentBoundary = { level: number; logVolatility: number }

/** The segments `first` to `last` of a source, both included. */
export function segmentsOf({ seed, source, first, last }: Span): NewsSegment[] {
  const marks = boundaries({ seed, source, first, last })
  return marks.slice(1).map((end, index) => fillSegment({ seed, source, segment: first + index, start: marks[index] ?? end, end }))
}

type Span = { seed: number; source: number; first: number; last: number }

/** The boundaries at the start of segments `first` to `last` + 1, walked from the first segment of 1970: 9 steps a year. */
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

/** Fills a segment with free moves, tilted to end where the next segment starts. */
function fillSegment({ seed, source, segment, start, end }: {
  seed: number
  source: number
  segment: number
  start: SegmentBoundary
  end: SegmentBoundary
}): NewsSegment {
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

/** Size of the uniform steps whose variance keeps the cluster's deviation. */
const CLUSTER_STEP = CLUSTER_DEVIATION * Math.sqrt(12 * (1 - CLUSTER_PERSISTENCE ** 2))

/** Brings the mean variance back to 1: the mean of a lognormal is above its median. */
const MEAN_CORRECTION = CALM_DEVIATION ** 2 + CLUSTER_DEVIATION ** 2

const HOUR_DEVIATION = 1 / Math.sqrt(HOURS_A_YEAR * HOUR_VARIANCE)

/** Variance of a month relative to the average: its mean over all months is 1. */
function varianceOf(logVolatility: number): number {
  return Math.exp(2 * (logVolatility - CALM_DEVIATION ** 2))
}
