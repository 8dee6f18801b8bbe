import { gunzipSync } from 'node:zlib'
import type { Candle } from '#core/market/candle.ts'
import { seriesOf, type CandleSeries } from '#core/market/candle-series.ts'
import { judgeCandles } from '#core/market/judge-candles.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { StartupError } from '#server/kernel/errors.ts'

/** The order of columns, if the first line has names. Exchanges' own files have none. */
const COLUMNS = [
  ['ts_ms', 'open_time', 'timestamp', 'time'],
  ['open'],
  ['high'],
  ['low'],
  ['close'],
]

/** Milliseconds have 13 digits until the year 2286, microseconds (Binance since 2025) 16. */
const LEAST_MICROSECONDS = 1e14

/** `file`: its name in sentences. `untilMs`: a later candle cannot have been recorded. */
export type CandleText = { file: string; untilMs: number }

/**
 * Parses a gzipped CSV: open time in milliseconds or microseconds, open, high, low, close; more
 * columns are ignored. Throws `StartupError` with the file and the line of the first unusable
 * candle.
 */
export function parseCandles(gzipped: Buffer, { file, untilMs }: CandleText): CandleSeries {
  const lines = unzip(gzipped, file)
    .replace(/^\uFEFF/, '')
    .split('\n')
  const refuse = (index: number, fault: string): never => {
    throw new StartupError(`${file}, line ${index + 1}: ${fault}.`)
  }
  const candles: Candle[] = []
  const lineOf: number[] = []
  for (const [index, text] of lines.entries()) {
    const line = text.trim()
    if (line === '' || (index === 0 && isHeader(line, refuse))) continue
    const read = parseLine(line)
    if (typeof read === 'string') return refuse(index, read)
    candles.push(read)
    lineOf.push(index)
  }
  if (candles.length === 0) throw new StartupError(`${file} holds no candles.`)
  const [bad] = judgeCandles(candles, { untilMs })
  return bad ? refuse(lineOf[bad.index] ?? 0, `the candle ${bad.fault}`) : seriesOf(candles)
}

function isHeader(line: string, refuse: (index: number, fault: string) => never): boolean {
  if (/^[\d.+-]/.test(line)) return false
  const names = line
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replaceAll('"', ''))
  if (COLUMNS.every((allowed, column) => allowed.includes(names[column] ?? ''))) return true
  return refuse(
    0,
    `the columns are ${line.slice(0, 60)}; they must be ts_ms,open,high,low,close, in this order`,
  )
}

/** The candle, or the reason why the line is not one. */
function parseLine(line: string): Candle | string {
  const [time = '', ...texts] = line.split(',').map((cell) => cell.trim())
  const [open, high, low, close] = texts.slice(0, COLUMNS.length - 1).map(parseDecimal)
  if (texts.length < COLUMNS.length - 1)
    return `the line ${line.slice(0, 60)} has fewer columns than ts_ms,open,high,low,close`
  if (!/^\d{1,16}$/.test(time))
    return `${time.slice(0, 30) || 'nothing'} is not a time in milliseconds since 1970`
  if (open === undefined || high === undefined || low === undefined || close === undefined)
    return (
      `a price of ${line.slice(0, 60)} is not a plain decimal of at most 11 digits and 8 ` +
      'places'
    )
  return {
    openTimeMs: Number(time) >= LEAST_MICROSECONDS ? Number(time) / 1_000 : Number(time),
    open,
    high,
    low,
    close,
  }
}

function unzip(gzipped: Buffer, file: string): string {
  try {
    return gunzipSync(gzipped).toString('utf8')
  } catch (error) {
    throw new StartupError(`${file} cannot be read: it is not a complete gzip file.`, {
      cause: error,
    })
  }
}
