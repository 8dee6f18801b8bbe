import { maximum, minimum } from '#core/money/amount.ts'
import { candleAt, countBefore, type CandleSeries } from './candle-series.ts'
import type { Candle } from './candle.ts'

/**
 * Joins hourly candles for a chart. Groups begin at multiples of `groupMs` since 1970. The first is
 * whole even if `fromMs` lies within it; the last may still grow. Empty groups are left out.
 */
export function groupCandles(
  series: CandleSeries,
  { fromMs, toMs, groupMs }: { fromMs: number; toMs: number; groupMs: number },
): Candle[] {
  const groups: Candle[] = []
  const end = countBefore(series, toMs)
  for (let index = countBefore(series, startOfGroup(fromMs, groupMs)); index < end; index += 1) {
    const candle = candleAt(series, index)
    const openTimeMs = startOfGroup(candle.openTimeMs, groupMs)
    const last = groups.at(-1)
    if (last?.openTimeMs === openTimeMs) groups[groups.length - 1] = joined(last, candle)
    else groups.push({ ...candle, openTimeMs })
  }
  return groups
}

export function startOfGroup(timeMs: number, groupMs: number): number {
  return Math.floor(timeMs / groupMs) * groupMs
}

function joined(group: Candle, { high, low, close }: Candle): Candle {
  return { ...group, high: maximum(group.high, high), low: minimum(group.low, low), close }
}
