import { HOUR_MS } from '#core/market/candle.ts'
import {
  appendCandle,
  candleAt,
  countBefore,
  createSeries,
  historyStart,
  type CandleSeries,
} from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Candles } from '#server/ports/market-view.ts'
import type { Feed } from '#server/ports/feed.ts'

/** `version`: increases when an older candle of a live market arrives late. */
type Kept = { fromMs: number; untilMs: number; version: number; series: CandleSeries }

export function openCandles(feed: Feed): Candles {
  const kept = new Map<Pair, Kept>()
  return {
    until: (pair, untilMs) => {
      const fromMs = historyStart(untilMs)
      const known = kept.get(pair)
      const version = feed.live?.version(pair) ?? 0
      if (!known || known.fromMs !== fromMs || known.version !== version) {
        const series = feed.candles({ pair, fromMs, toMs: untilMs })
        kept.set(pair, { fromMs, untilMs, version, series })
        return series
      }
      if (untilMs > known.untilMs || (feed.live && untilMs === known.untilMs)) {
        extend(known, feed.candles({ pair, fromMs: nextOf(known), toMs: untilMs }))
        known.untilMs = untilMs
      }
      return known.series
    },
  }
}

/** The first hour not cached. On a live market the last candle may arrive late. */
function nextOf({ fromMs, series: { length, openTimesMs } }: Kept): number {
  return length === 0 ? fromMs : (openTimesMs[length - 1] ?? 0) + HOUR_MS
}

function extend({ series }: Kept, added: CandleSeries): void {
  for (let index = 0; index < added.length; index += 1) appendCandle(series, candleAt(added, index))
}

export function candlesBetween(
  series: CandleSeries,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): CandleSeries {
  const from = countBefore(series, fromMs)
  const to = countBefore(series, toMs)
  const part = createSeries(Math.max(16, to - from))
  for (let index = from; index < to; index += 1) appendCandle(part, candleAt(series, index))
  return part
}
