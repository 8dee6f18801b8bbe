import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { assert } from '#core/assert.ts'
import { appendCandle, createSeries, type CandleSeries } from '#core/market/candle-series.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'

/** The pairs with files of real hourly candles. */
export const REAL_PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT', 'BNB/USDT']

/** Real candles from `MARKET_DATA_DIR`, or from ../shared/market beside the project. Throws if they are missing. */
export function realCandles(pair: Pair): CandleSeries {
  const folder = process.env['MARKET_DATA_DIR'] ?? resolve(import.meta.dirname, '../../shared/market')
  const file = readFileSync(resolve(folder, `${baseOf(pair)}USDT-1h.csv.gz`))
  const [header, ...lines] = gunzipSync(file).toString('utf8').trimEnd().split('\n')
  assert(header?.trimEnd() === 'ts_ms,open,high,low,close,volume', `unknown columns: ${header}`)
  const series = createSeries(lines.length)
  for (const line of lines) {
    const [time = '', open = '', high = '', low = '', close = ''] = line.split(',')
    appendCandle(series, {
      openTimeMs: Number(time),
      open: decimalToUnits(open),
      high: decimalToUnits(high),
      low: decimalToUnits(low),
      close: decimalToUnits(close),
    })
  }
  return series
}
