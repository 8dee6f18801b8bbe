import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { present } from '#core/assert.ts'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { appendCandle, createSeries, type CandleSeries } from '#core/market/candle-series.ts'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { StartupError } from '#server/startup-error.ts'
import { candlesBetween } from './candles.ts'
import type { Feed } from './feed.ts'

const DEFAULT_SPEED = 3_600

/** Recorded candles from `directory`: one gzipped CSV for each pair, `BTCUSDT-1h.csv.gz`, columns ts_ms, open, high, low, close, volume. */
export function replayFeed({ directory, startMs }: { directory: string; startMs: number | undefined }): Feed {
  const pairs = PAIRS.filter((pair) => existsSync(fileOf(directory, pair)))
  if (pairs.length === 0) throw new StartupError(`MARKET_DATA_DIR ${directory} holds no candles such as BTCUSDT-1h.csv.gz.`)
  const bytes = new Map(pairs.map((pair) => [pair, readFileSync(fileOf(directory, pair))]))
  const series = new Map<Pair, CandleSeries>(pairs.map((pair) => [pair, parse(present(bytes.get(pair), pair), fileOf(directory, pair))]))
  const hash = createHash('sha256')
  for (const pair of pairs) hash.update(present(bytes.get(pair), pair))
  const first = Math.max(...[...series.values()].map((each) => each.openTimesMs[0] ?? 0))
  const last = Math.max(...[...series.values()].map((each) => each.openTimesMs[each.length - 1] ?? 0))
  return {
    kind: 'replay',
    label: 'Recorded market',
    identity: `replay:${hash.digest('hex').slice(0, 16)}`,
    pairs,
    defaultSpeed: DEFAULT_SPEED,
    beginMs: () => startMs ?? Math.floor((first + (last - first) * 0.6) / HOUR_MS) * HOUR_MS,
    endMs: last + HOUR_MS,
    candles: ({ pair, fromMs, toMs }) => candlesBetween(present(series.get(pair), `no candles of ${pair}`), { fromMs, toMs }),
  }
}

const fileOf = (directory: string, pair: Pair): string => join(directory, `${baseOf(pair)}USDT-1h.csv.gz`)

function parse(gzipped: Buffer, file: string): CandleSeries {
  const lines = unzip(gzipped, file).split('\n')
  const series = createSeries(lines.length)
  for (const line of lines.slice(1)) {
    if (line === '') continue
    const candle = parseLine(line)
    if (candle === undefined) throw new StartupError(`${file} has a line that is no hourly candle: ${line.slice(0, 60)}.`)
    appendCandle(series, candle)
  }
  return series
}

function parseLine(line: string): Candle | undefined {
  const [time = '', ...prices] = line.trim().split(',')
  const openTimeMs = Number(time)
  const [open, high, low, close] = prices.map(parseDecimal)
  if (!Number.isInteger(openTimeMs / HOUR_MS) || open === undefined || high === undefined || low === undefined || close === undefined) return undefined
  return { openTimeMs, open, high, low, close }
}

function unzip(gzipped: Buffer, file: string): string {
  try {
    return gunzipSync(gzipped).toString('utf8')
  } catch (error) {
    throw new StartupError(`${file} cannot be read: it is no whole gzip file.`, { cause: error })
  }
}
