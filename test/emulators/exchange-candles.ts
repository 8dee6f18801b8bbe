import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import { mix, uniformFrom } from '#core/market/seeded.ts'
import type { ExchangeMarket, ExchangeState } from './exchange-state.ts'

/** A candle as an exchange prints it: with the market's own decimals. */
export type PrintedCandle = {
  openTimeMs: number
  open: string
  high: string
  low: string
  close: string
}

/** The candle of an hour: deterministic, and each opens where the previous one closed. */
export function candleOf(market: ExchangeMarket, openTimeMs: number): PrintedCandle {
  const hour = Math.round(openTimeMs / HOUR_MS)
  const [open, close] = [priceAt(market, hour), priceAt(market, hour + 1)]
  const print = (price: number) => price.toFixed(market.priceDecimals)
  return {
    openTimeMs,
    open: print(open),
    high: print(Math.max(open, close) * 1.002),
    low: print(Math.min(open, close) * 0.998),
    close: print(close),
  }
}

/**
 * Candles before `untilMs`, newest last, including the running one; at most as many as Kraken
 * returns.
 */
export function latestCandles(state: ExchangeState, market: ExchangeMarket): PrintedCandle[] {
  const runningMs = floorHour(state.clock.nowMs())
  const hours = Array.from(
    { length: MOST_CANDLES },
    (_, index) => runningMs - (MOST_CANDLES - 1 - index) * HOUR_MS,
  )
  return hours.map((openTimeMs) => candleOf(market, openTimeMs))
}

/**
 * Candles that open from `fromMs` to `untilMs`, oldest first, at most `most`. The exchange stores
 * two years.
 */
export function candlesFrom(
  market: ExchangeMarket,
  { fromMs, untilMs, most }: { fromMs: number; untilMs: number; most: number },
): PrintedCandle[] {
  const firstMs = Math.ceil(Math.max(fromMs, untilMs - KEPT_MS) / HOUR_MS) * HOUR_MS
  const count = Math.max(0, Math.floor((untilMs - firstMs) / HOUR_MS) + 1)
  return Array.from({ length: Math.min(count, most) }, (_, index) =>
    candleOf(market, firstMs + index * HOUR_MS),
  )
}

const KEPT_MS = 2 * 365 * 24 * HOUR_MS

/** Kraken returns only the last 720 of any interval. */
const MOST_CANDLES = 720

/** A price at most a tenth away from the market's first. */
function priceAt({ symbol, firstPrice }: ExchangeMarket, hour: number): number {
  const stream = [...symbol].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_003
  const uniform = uniformFrom(mix({ seed: 5, stream, step: hour }))
  return Number(firstPrice) * (0.95 + 0.1 * uniform())
}
