import { sentence } from '#core/sentences.ts'
import { appendCandle, createSeries, type CandleSeries } from '#core/market/candle-series.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { candlesBetween } from '#server/market/candle-cache.ts'
import type { Feed } from '#server/ports/feed.ts'

const BEGIN_MS = Date.UTC(2026, 0, 1)

/**
 * The worst possible market, for `hours`: each close reverses every trend on every pair, so that
 * every target exposure changes.
 */
export function sawFeed(hours: number): Feed {
  const series = sawCandles(hours)
  return {
    kind: 'replay',
    label: sentence('recordedMarket'),
    identity: 'bench:saw',
    venue: 'binance',
    pairs: PAIRS,
    defaultSpeed: 3_600,
    beginMs: () => BEGIN_MS,
    endMs: undefined,
    candles: ({ fromMs, toMs }) => candlesBetween(series, { fromMs, toMs }),
  }
}

/**
 * Number of hours that precede the run; hours alternate between a new high and a fall below every
 * channel's midline.
 */
const PAST_HOURS = 5_000
const RISE = 1_000_000n
const FALL_PERCENT = 99n

function sawCandles(hours: number): CandleSeries {
  const count = PAST_HOURS + hours + 2
  const series = createSeries(count)
  let top = 6_000_000_000_000n
  let open = top
  for (let hour = 0; hour < count; hour += 1) {
    if (hour % 2 === 0) top += RISE
    const close = hour % 2 === 0 ? top : (top * FALL_PERCENT) / 100n
    const [low, high] = open < close ? [open, close] : [close, open]
    appendCandle(series, {
      openTimeMs: BEGIN_MS + (hour - PAST_HOURS) * HOUR_MS,
      open,
      high,
      low,
      close,
    })
    open = close
  }
  return series
}
