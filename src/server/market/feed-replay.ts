import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sentence } from '#core/sentences.ts'
import { required } from '#core/assert.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import type { Feed } from '#server/ports/feed.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { candlesBetween } from './candle-cache.ts'
import { findCandleFile, parseCandleFile } from './candle-file.ts'

const DEFAULT_SPEED = 3_600

type Recorded = { directory: string; startMs: number | undefined; nowMs: number }

/** One file for each pair in `directory`. Throws `StartupError` if one cannot be used. */
export function replayFeed({ directory, startMs, nowMs }: Recorded): Feed {
  const hash = createHash('sha256')
  const series = new Map<Pair, CandleSeries>()
  for (const pair of PAIRS) {
    const file = findCandleFile(directory, pair)
    if (file === undefined) continue
    const bytes = readFileSync(file)
    series.set(pair, parseCandleFile(bytes, { file, pair, untilMs: nowMs }))
    hash.update(bytes)
  }
  const pairs = [...series.keys()]
  if (pairs.length === 0)
    throw new StartupError(
      `MARKET_DATA_DIR ${directory} holds no hourly candles: name files such as BTCUSDT-1h.csv.`,
    )
  const first = Math.max(...[...series.values()].map((each) => each.openTimesMs[0] ?? 0))
  const last = Math.max(
    ...[...series.values()].map((each) => each.openTimesMs[each.length - 1] ?? 0),
  )
  return {
    kind: 'replay',
    label: sentence('recordedMarket'),
    identity: `replay:${hash.digest('hex').slice(0, 16)}`,
    // The recorded files are Binance's.
    venue: 'binance',
    pairs,
    defaultSpeed: DEFAULT_SPEED,
    beginMs: () => startMs ?? floorHour(first + (last - first) * 0.6),
    endMs: last + HOUR_MS,
    candles: ({ pair, fromMs, toMs }) =>
      candlesBetween(required(series.get(pair), `no candles of ${pair}`), { fromMs, toMs }),
  }
}
