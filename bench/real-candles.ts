import { join } from 'node:path'
import { required } from '#core/assert.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { readCandles } from '#server/market/candle-file.ts'

/** The pairs with real hourly candles, which ship with the product. */
export const REAL_PAIRS: readonly Pair[] = [
  'BTC/USDT',
  'ETH/USDT',
  'SOL/USDT',
  'XRP/USDT',
  'BNB/USDT',
]

const SHIPPED = join(import.meta.dirname, '../data/candles')

/** The recorded candles of a pair. Throws if there are none. */
export function realCandles(pair: Pair): CandleSeries {
  return required(readCandles(SHIPPED, { pair, untilMs: Number.MAX_SAFE_INTEGER }), pair)
}
