import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { appendCandle, createSeries, type CandleSeries } from '#core/market/candle-series.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { StartupError } from '#server/startup-error.ts'

export const HEADER = 'ts_ms,open,high,low,close,volume'

/** One gzipped CSV for each pair, `BTCUSDT-1h.csv.gz`, columns as in `HEADER`, one line for each recorded hour. */
export const fileOf = (directory: string, pair: Pair): string => join(directory, `${baseOf(pair)}USDT-1h.csv.gz`)

/** The candles of a file. Throws `StartupError` if the file is truncated or has another format. */
export function parseCandles(gzipped: Buffer, file: string): CandleSeries {
  const lines = unzip(gzipped, file).split('\n')
  const series = createSeries(lines.length)
  for (const line of lines.slice(1)) {
    if (line === '') continue
    const candle = parseLine(line)
    if (candle === undefined) throw new StartupError(`${file} has a line that is not an hourly candle: ${line.slice(0, 60)}.`)
    appendCandle(series, candle)
  }
  return series
}

/** The recorded candles of `pair`; undefined where `directory` has none. */
export function readCandles(directory: string, pair: Pair): CandleSeries | undefined {
  const file = fileOf(directory, pair)
  return existsSync(file) ? parseCandles(readFileSync(file), file) : undefined
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
    throw new StartupError(`${file} cannot be read: it is not a complete gzip file.`, { cause: error })
  }
}
