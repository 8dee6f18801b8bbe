import { assert } from '#core/assert.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Cause } from './reason.ts'
import { advance, causeOf, startStrategy, type StrategyState } from './strategy.ts'
import type { StrategyKey } from './strategy-key.ts'

/** A target exposure, from the candle with index `closedCount` until the next change. */
export type ExposureChange = { closedCount: number; exposureBps: number; cause: Cause }

type Scan = { series: CandleSeries; fromCount: number; toCount: number }

/**
 * Changes of the target exposure between `fromCount` and `toCount` closed candles, warmed up from
 * the start of `series`. The first entry is the target at `fromCount`.
 */
export function exposureChanges({
  strategy,
  costs,
  ...scan
}: Scan & { strategy: StrategyKey; costs: TradingCosts }): ExposureChange[] {
  return changesOf(startStrategy(strategy, costs), scan)
}

/** Callers must pass a `state` that has seen no candle. */
export function changesOf(
  state: StrategyState,
  { series, fromCount, toCount }: Scan,
): ExposureChange[] {
  assert(
    fromCount >= 0 && fromCount <= toCount && toCount <= series.length,
    'a scan stays inside its series',
  )
  const { highSignal, lowSignal, closeSignal } = series
  const candle = { high: 0, low: 0, close: 0 }
  const changes: ExposureChange[] = fromCount === 0 ? [changeOf(0)] : []
  let targetBps = 0
  for (let index = 0; index < toCount; index += 1) {
    candle.high = highSignal[index] ?? Number.NaN
    candle.low = lowSignal[index] ?? Number.NaN
    candle.close = closeSignal[index] ?? Number.NaN
    advance(state, candle)
    const closedCount = index + 1
    if (closedCount === fromCount || (closedCount > fromCount && state.exposureBps !== targetBps)) {
      changes.push(changeOf(closedCount))
      targetBps = state.exposureBps
    }
  }
  return changes

  function changeOf(closedCount: number): ExposureChange {
    return { closedCount, exposureBps: state.exposureBps, cause: causeOf(state) }
  }
}
