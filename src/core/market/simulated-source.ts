import { HOURS_A_YEAR } from './candle.ts'
import { mix, nearlyNormal, uniformFrom } from './seeded.ts'

export const SEGMENT_HOURS = 1_000

/**
 * A segment of a source of news that moves simulated prices, with a variance of about 1 a year: one
 * shock spread over its hours, and jumps. Any segment can be drawn without its past.
 */
export type News = {
  /** Log volatility. */
  volatilities: readonly [start: number, end: number]
  deviation: number
  shock: number
  jumpDeviation: number
  jumps: readonly { hour: number; size: number }[]
}

/** Hour by hour; entry 0 is the start of the segment. */
type NewsPath = {
  moves: Float64Array
  /** Part of the shock's variance up to each hour, 0 to 1. */
  passed: Float64Array
  /** Standard deviation of each hour's ordinary move; entry 0 is unused. */
  deviations: Float64Array
}

/**
 * Autocorrelation of the log volatility from one segment boundary to the next: calm and wild
 * months.
 */
const CALM_PERSISTENCE = 0.7
const CALM_DEVIATION = 0.3
/** Boundaries further back have a weight below 1 %. */
const CALM_MEMORY = 14

/** Autocorrelation of the volatility within a segment: clusters of a day or two. */
const CLUSTER_PERSISTENCE = 0.97
const CLUSTER_DEVIATION = 0.3
/** Size of the uniform steps that keep the standard deviation at `CLUSTER_DEVIATION`. */
const CLUSTER_STEP = CLUSTER_DEVIATION * Math.sqrt(12 * (1 - CLUSTER_PERSISTENCE ** 2))

/**
 * Hourly chance of a jump: about one in three weeks. Its size is a multiple of the typical hourly
 * move.
 */
const JUMP_CHANCE = 1 / 500
const JUMP_SIZE = 6
const JUMPS_SHARE = (JUMP_CHANCE * JUMP_SIZE ** 2) / (1 + JUMP_CHANCE * JUMP_SIZE ** 2)

export type Place = { seed: number; source: number; segment: number }

export function newsOf(place: Place): News {
  const volatilities = [
    logVolatilityAt(place),
    logVolatilityAt({ ...place, segment: place.segment + 1 }),
  ] as const
  const variance =
    ((varianceOf(volatilities[0]) + varianceOf(volatilities[1])) / 2) *
    (SEGMENT_HOURS / HOURS_A_YEAR)
  const uniform = drawsOf(place, SALTS.shock)
  const deviation = Math.sqrt(variance * (1 - JUMPS_SHARE))
  const shock = deviation * nearlyNormal(uniform)
  const jumpDeviation = Math.sqrt((variance * JUMPS_SHARE) / (JUMP_CHANCE * SEGMENT_HOURS))
  const jumps: { hour: number; size: number }[] = []
  for (let hour = hoursToJump(uniform); hour <= SEGMENT_HOURS; hour += hoursToJump(uniform))
    jumps.push({ hour, size: jumpDeviation * nearlyNormal(uniform) })
  return { volatilities, deviation, shock, jumpDeviation, jumps }
}

export function moveOf({ shock, jumps }: News): number {
  return jumps.reduce((sum, { size }) => sum + size, shock)
}

/**
 * Log of the mean of exp(weight × move) over a segment. Subtracted from the log price, so that the
 * mean price stays constant.
 */
export function logMeans(
  { deviation, jumpDeviation }: News,
  weight: number,
): { shock: number; jumps: number } {
  return {
    shock: Math.log(meanOfExp(weight * deviation)),
    jumps: SEGMENT_HOURS * Math.log(1 + JUMP_CHANCE * (meanOfExp(weight * jumpDeviation) - 1)),
  }
}

/** Spreads the shock over the hours as a bridge of independent moves, and adds the jumps. */
export function spreadNews(
  place: Place,
  { volatilities: [start, end], deviation, shock, jumps }: News,
): NewsPath {
  const moves = new Float64Array(SEGMENT_HOURS + 1)
  const passed = new Float64Array(SEGMENT_HOURS + 1)
  const deviations = new Float64Array(SEGMENT_HOURS + 1)
  const uniform = drawsOf(place, SALTS.hours)
  let cluster = CLUSTER_DEVIATION * nearlyNormal(uniform)
  for (let hour = 1; hour <= SEGMENT_HOURS; hour += 1) {
    cluster = CLUSTER_PERSISTENCE * cluster + CLUSTER_STEP * (uniform() - 0.5)
    const hourly = Math.exp(start + ((end - start) / SEGMENT_HOURS) * hour + cluster)
    deviations[hour] = hourly
    moves[hour] = (moves[hour - 1] ?? 0) + hourly * nearlyNormal(uniform)
    passed[hour] = (passed[hour - 1] ?? 0) + hourly * hourly
  }
  // The hours' variances add up to the shock's, so that the bridge has no drift.
  const whole = passed[SEGMENT_HOURS] ?? 1
  const scale = deviation / Math.sqrt(whole)
  const missing = shock - scale * (moves[SEGMENT_HOURS] ?? 0)
  for (let hour = 0; hour <= SEGMENT_HOURS; hour += 1) {
    const part = (passed[hour] ?? 0) / whole
    passed[hour] = part
    moves[hour] = scale * (moves[hour] ?? 0) + missing * part
    deviations[hour] = scale * (deviations[hour] ?? 0)
  }
  for (const { hour: from, size } of jumps)
    for (let hour = from; hour <= SEGMENT_HOURS; hour += 1) moves[hour] = (moves[hour] ?? 0) + size
  return { moves, passed, deviations }
}

const SALTS = { calm: 0, hours: 1, shock: 3 }

function drawsOf({ seed, source, segment }: Place, salt: number): () => number {
  return uniformFrom(mix({ seed, stream: source, step: segment, salt }))
}

/** A moving average that decays like an autoregression, but with a finite past. */
function logVolatilityAt({ seed, source, segment }: Place): number {
  let sum = 0
  for (let age = CALM_MEMORY - 1; age >= 0; age -= 1)
    sum =
      CALM_PERSISTENCE * sum +
      nearlyNormal(drawsOf({ seed, source, segment: segment - age }, SALTS.calm))
  return CALM_DEVIATION * Math.sqrt(1 - CALM_PERSISTENCE ** 2) * sum
}

/** Variance of a month relative to the average: its mean over all months is 1. */
function varianceOf(logVolatility: number): number {
  return Math.exp(2 * (logVolatility - CALM_DEVIATION ** 2))
}

function hoursToJump(uniform: () => number): number {
  return 1 + Math.floor(Math.log(1 - uniform()) / Math.log(1 - JUMP_CHANCE))
}

/** The mean of exp(deviation × x) over the x of `nearlyNormal`. */
function meanOfExp(deviation: number): number {
  const half = (Math.sqrt(3) * deviation) / 2
  return half < 1e-6 ? 1 : (Math.sinh(half) / half) ** 4
}
