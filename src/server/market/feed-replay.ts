import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { english } from '#core/english.ts'
import { required } from '#core/assert.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import type { Feed } from '#server/ports/feed.ts'
import { StartupError } from '#server/startup-error.ts'
import { fileOf, parseCandles } from './candle-csv.ts'
import { candlesBetween } from './candle-cache.ts'

const DEFAULT_SPEED = 3_600

/** Recorded candles from `directory`, one file for each pair. */
export function replayFeed({ directory, startMs }: { directory: string; startMs: number | undefined }): Feed {
  const pairs = PAIRS.filter((pair) => existsSync(fileOf(directory, pair)))
  if (pairs.length === 0) throw new StartupError(`MARKET_DATA_DIR ${directory} holds no candles such as BTCUSDT-1h.csv.gz.`)
  const bytes = new Map(pairs.map((pair) => [pair, readFileSync(fileOf(directory, pair))]))
  const series = new Map<Pair, CandleSeries>(pairs.map((pair) => [pair, parseCandles(required(bytes.get(pair), pair), fileOf(directory, pair))]))
  const hash = createHash('sha256')
  for (const pair of pairs) hash.update(required(bytes.get(pair), pair))
  const first = Math.max(...[...series.values()].map((each) => each.openTimesMs[0] ?? 0))
  const last = Math.max(...[...series.values()].map((each) => each.openTimesMs[each.length - 1] ?? 0))
  return {
    kind: 'replay',
    label: english('Recorded market'),
    identity: `replay:${hash.digest('hex').slice(0, 16)}`,
    // Files are named as Binance names its pairs, and the recorded ones are Binance's.
    venue: 'binance',
    pairs,
    defaultSpeed: DEFAULT_SPEED,
    beginMs: () => startMs ?? floorHour(first + (last - first) * 0.6),
    endMs: last + HOUR_MS,
    candles: ({ pair, fromMs, toMs }) => candlesBetween(required(series.get(pair), `no candles of ${pair}`), { fromMs, toMs }),
  }
}
