import { assert } from '#core/assert.ts'
import { uniformFrom } from '#core/market/seeded.ts'

/** Mean block length: about the time for which a trend is held. */
export const BLOCK_DAYS = 30

/** Enough that another seed moves the band by less than a point. */
const RESAMPLES = 2_000

/** Nine tenths of the resampled gains (fractions) lie between `low` and `high`. */
export type OutcomeBand = { low: number; median: number; high: number }

type Resampling = { days: number; seed: number; blockDays?: number; resamples?: number }

/**
 * Gains over `days` of resampled daily returns: blocks start at random days with random lengths
 * (geometric, mean `blockDays`), and the history is circular. The stationary bootstrap of Politis
 * and Romano, Journal of the American Statistical Association 1994.
 */
export function bootstrapBand(
  returns: readonly number[],
  { days, seed, blockDays = BLOCK_DAYS, resamples = RESAMPLES }: Resampling,
): OutcomeBand {
  assert(returns.length > 0 && days > 0 && blockDays >= 1, 'a bootstrap has returns to draw from')
  const uniform = uniformFrom(seed)
  const gains = Float64Array.from({ length: resamples }, () => {
    let growth = 1
    let day = 0
    for (let drawn = 0; drawn < days; drawn += 1) {
      const begins = drawn === 0 || uniform() < 1 / blockDays
      day = begins ? Math.floor(uniform() * returns.length) : (day + 1) % returns.length
      growth *= 1 + (returns[day] ?? 0)
    }
    return growth - 1
  }).toSorted()
  const at = (share: number) => gains[Math.floor((resamples - 1) * share)] ?? Number.NaN
  return { low: at(0.05), median: at(0.5), high: at(0.95) }
}
