import { HOUR_MS } from '#core/market/candle.ts'
import { candleAt } from '#core/market/candle-series.ts'
import { PAIRS, type Pair, baseOf } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { CandleArchive } from '#server/market/candle-archive.ts'
import type { ExchangeMarket, ExchangeState } from '../emulators/exchange-state.ts'
import { candleOf, type PrintedCandle } from '../emulators/exchange-candles.ts'

/**
 * Differences between stored candles from `fromMs` to before `untilMs` and the exchange's own:
 * lost, duplicate or wrong ones.
 */
export function candleFaults(
  { exchange, store }: { exchange: Pick<ExchangeState, 'markets'>; store: CandleArchive },
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): string[] {
  return PAIRS.flatMap((pair) => {
    const kept = keptTimes(store, pair, { fromMs, untilMs })
    const hours = Array.from(
      { length: (untilMs - fromMs) / HOUR_MS },
      (_, index) => fromMs + index * HOUR_MS,
    )
    const lost = hours
      .filter((hourMs) => !kept.includes(hourMs))
      .map((hourMs) => `${pair} lacks ${new Date(hourMs).toISOString()}`)
    const doubled = kept.length > new Set(kept).size ? [`${pair} has an hour twice`] : []
    return [...lost, ...doubled, ...wrongOnes({ exchange, store, pair })]
  })
}

function keptTimes(
  store: CandleArchive,
  pair: Pair,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): number[] {
  const { openTimesMs, length } = store.series(pair)
  return [...openTimesMs.subarray(0, length)].filter(
    (timeMs) => timeMs >= fromMs && timeMs < untilMs,
  )
}

function wrongOnes({
  exchange,
  store,
  pair,
}: {
  exchange: Pick<ExchangeState, 'markets'>
  store: CandleArchive
  pair: Pair
}): string[] {
  const market = [...exchange.markets.values()].find(
    ({ symbol }) => symbol === `${baseOf(pair)}/USD`,
  )
  if (!market) return [`no market for ${pair}`]
  const series = store.series(pair)
  const wrong = Array.from({ length: series.length }, (_, index) => candleAt(series, index)).filter(
    ({ openTimeMs, open, high, low, close }) => {
      const told = candleOf(market, openTimeMs)
      return (
        [told.open, told.high, told.low, told.close].map(decimalToUnits).join() !==
        [open, high, low, close].join()
      )
    },
  )
  return wrong.map(({ openTimeMs }) => `${pair} is wrong at ${new Date(openTimeMs).toISOString()}`)
}

const MONTH_MS = 720 * HOUR_MS

/**
 * Candles of a month that rise a tenth of a percent an hour up to `topMs`: every bot wants to be
 * in, wherever it trades. Exchanges that keep years have listed their markets a month ago.
 */
export const rising =
  (topMs: number) =>
  (candles: PrintedCandle[], { firstPrice, priceDecimals }: ExchangeMarket): PrintedCandle[] =>
    candles
      .filter(({ openTimeMs }) => openTimeMs > topMs - MONTH_MS)
      .map(({ openTimeMs }) => {
        const priceAt = (timeMs: number) =>
          risenPrice({ firstPrice, priceDecimals }, (timeMs - topMs) / HOUR_MS)
        const [open, close] = [priceAt(openTimeMs), priceAt(openTimeMs + HOUR_MS)]
        return { openTimeMs, open, low: open, close, high: close }
      })

/** The price of a rising market this many hours after its first price. */
export const risenPrice = (
  { firstPrice, priceDecimals }: Pick<ExchangeMarket, 'firstPrice' | 'priceDecimals'>,
  hours: number,
): string => (Number(firstPrice) * 1.001 ** hours).toFixed(priceDecimals)
