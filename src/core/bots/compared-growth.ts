import type { Units } from '#core/money/amount.ts'
import { percentOf } from '#core/money/percent.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'

/** Growth in percent, 2 decimals; 0 if the curve begins at 0. */
export function growthSinceStart(
  points: readonly EquityPoint[],
): { timeMs: number; percent: string }[] {
  const start: Units = points[0]?.equity ?? 0n
  return points.map(({ timeMs, equity }) => ({
    timeMs,
    percent: percentOf({ part: equity - start, whole: start }),
  }))
}
