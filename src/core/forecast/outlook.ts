import type { CandleSeries } from '#core/market/candle-series.ts'
import { varianceOf } from './model.ts'
import { STEPS, swingOf, type Range } from './range.ts'
import { MOST_CANDLES, squaredMoves, swingFeatures } from './swings.ts'
import type { RangeModel } from './walk-forward.ts'

/** Steps beyond either end of the 80 % range. */
const BEYOND = STEPS / 10

/**
 * The 80 % range of the 24 candles after the first `count` of a series. Undefined after too few of
 * them.
 */
export function outlookOf(
  model: RangeModel,
  { series, count }: { series: CandleSeries; count: number },
): Range | undefined {
  const closeSignal = series.closeSignal.subarray(Math.max(0, count - MOST_CANDLES - 1), count)
  const { length } = closeSignal
  const swings = swingFeatures(squaredMoves({ closeSignal, length }), length - 1)
  if (!swings) return undefined
  const swing = swingOf(varianceOf(model, swings))
  const quantile = (step: number) => model.moves[step - 1] ?? 0
  return { low: swing * quantile(BEYOND), high: swing * quantile(STEPS - BEYOND) }
}
