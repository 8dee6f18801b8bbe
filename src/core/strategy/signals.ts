import { assert } from '#core/assert.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Cause } from './reason.ts'
import type { RiskLevel } from './risk-level.ts'
import { advance, causeOf, startStrategy } from './strategy.ts'

/** What a strategy wants from the candle with index `closedCount` on, until its next change. */
export type ExposureChange = { closedCount: number; exposureBps: number; cause: Cause }

/**
 * Every change of exposure of a risk level along `series`, warmed up on it from its beginning. The first entry is what it wants at
 * `fromCount` closed candles. Depends on no bot, so one scan serves any number of backtests on the same series.
 */
export function exposureChanges({ riskLevel, series, fromCount, toCount }: {
  riskLevel: RiskLevel
  series: CandleSeries
  fromCount: number
  toCount: number
}): ExposureChange[] {
  assert(fromCount >= 0 && fromCount <= toCount && toCount <= series.length, 'a scan stays inside its series')
  const { highSignal, lowSignal, closeSignal } = series
  const state = startStrategy(riskLevel)
  const candle = { high: 0, low: 0, close: 0 }
  const changes: ExposureChange[] = fromCount === 0 ? [changeOf(0)] : []
  let wantedBps = 0
  for (let index = 0; index < toCount; index += 1) {
    candle.high = highSignal[index] ?? Number.NaN
    candle.low = lowSignal[index] ?? Number.NaN
    candle.close = closeSignal[index] ?? Number.NaN
    advance(state, candle)
    const closedCount = index + 1
    if (closedCount === fromCount || (closedCount > fromCount && state.exposureBps !== wantedBps)) {
      changes.push(changeOf(closedCount))
      wantedBps = state.exposureBps
    }
  }
  return changes

  function changeOf(closedCount: number): ExposureChange {
    return { closedCount, exposureBps: state.exposureBps, cause: causeOf(state) }
  }
}
