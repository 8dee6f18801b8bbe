import { sentence } from '#core/sentences.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { VenueName } from '#core/trading/costs.ts'
import type { Feed } from '#server/ports/feed.ts'
import { candlesBetween } from './candle-cache.ts'

/**
 * One market hour per second: a newcomer sees a bot trade within a minute (`docs/strategies.md`).
 */
const DEFAULT_SPEED = 3_600

/** Hours generated ahead, because generating many costs as much as one. */
const AHEAD_HOURS = 1_000

/**
 * `venue`: the exchange of this installation, where its bots would trade. `startMs`: where a new
 * book begins; by default at the present hour.
 */
export function simulatedFeed({
  seed,
  venue = 'kraken',
  startMs,
}: {
  seed: number
  venue?: VenueName
  startMs?: number | undefined
}): Feed {
  const made = new Map<Pair, { fromMs: number; toMs: number; series: CandleSeries }>()
  const hoursOf = ({ pair, fromMs, toMs }: { pair: Pair; fromMs: number; toMs: number }) => {
    const known = made.get(pair)
    if (known && fromMs >= known.fromMs && toMs <= known.toMs) return known.series
    const series = simulatedCandles({ seed, pair, fromMs, count: AHEAD_HOURS })
    made.set(pair, { fromMs, toMs: fromMs + AHEAD_HOURS * HOUR_MS, series })
    return series
  }
  return {
    kind: 'simulated',
    label: sentence('simulatedMarket'),
    note: sentence('simulatedNote'),
    // The version is 2, because a book of version 1 would continue at other prices.
    identity: `simulated:2:${seed}`,
    venue,
    pairs: PAIRS,
    seed,
    defaultSpeed: DEFAULT_SPEED,
    beginMs: (nowMs) => floorHour(startMs ?? nowMs),
    endMs: undefined,
    candles: ({ pair, fromMs, toMs }) => {
      const count = Math.max(0, Math.ceil((toMs - fromMs) / HOUR_MS))
      if (count > AHEAD_HOURS / 2) return simulatedCandles({ seed, pair, fromMs, count })
      return candlesBetween(hoursOf({ pair, fromMs, toMs }), { fromMs, toMs })
    },
  }
}
