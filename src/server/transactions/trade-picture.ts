import type { TransactionReceipt } from '#contract/transactions.ts'
import { groupCandles } from '#core/market/candle-groups.ts'
import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { brokenLevel } from '#core/strategy/trade-reason.ts'
import type { BotsTrade } from '#server/holdings/derived-trades.ts'
import type { StoredChange } from '#server/holdings/stays.ts'
import type { Candles, MarketView } from '#server/ports/market-view.ts'

/** How far the line reaches: before a purchase, after the trade, and back to an old purchase. */
const [BEFORE_MS, AFTER_MS, LONGEST_MS] = [3 * DAY_MS, DAY_MS, 30 * DAY_MS]

/** Points of the line, two pixels each on a phone. */
const MOST_POINTS = 150

type Pictured = Pick<BotsTrade, 'side'> & {
  change: Pick<StoredChange, 'pair' | 'reason' | 'marketTime' | 'price'>
}

/** `trades`: all of the bot, newest first. */
export function pictureOf(
  { candles, market }: { candles: Candles; market: Pick<MarketView, 'now'> },
  { trade, trades }: { trade: Pictured; trades: readonly Pictured[] },
): TransactionReceipt['picture'] {
  const { pair, reason, marketTime } = trade.change
  const atMs = marketTime.getTime()
  const bought = trade.side === 'sell' ? purchaseBefore(trade, trades) : undefined
  const boughtMs = bought?.change.marketTime.getTime() ?? atMs
  const isNear = atMs - boughtMs <= LONGEST_MS
  const fromMs = (isNear ? boughtMs : atMs) - BEFORE_MS
  const nowMs = floorHour(market.now().getTime())
  const toMs = Math.min(atMs + AFTER_MS, nowMs)
  // Reads up to the present, because a shorter series would be reloaded for every other reader.
  const prices = closesOf(candles.until(pair, nowMs), { fromMs, toMs })
  const level = brokenLevel(reason)
  if (prices.length < 2) return null
  return {
    prices,
    bought:
      bought && isNear
        ? {
            at: bought.change.marketTime.toISOString(),
            value: unitsToDecimal(bought.change.price, 8),
          }
        : null,
    level: level ?? null,
  }
}

const purchaseBefore = ({ change }: Pictured, trades: readonly Pictured[]): Pictured | undefined =>
  trades.find(
    (made) =>
      made.side === 'buy' &&
      made.change.pair === change.pair &&
      made.change.marketTime < change.marketTime,
  )

type Series = Parameters<typeof groupCandles>[0]

/** Each close at the end of its hours. */
function closesOf(series: Series, { fromMs, toMs }: { fromMs: number; toMs: number }) {
  const groupMs = Math.max(1, Math.ceil((toMs - fromMs) / HOUR_MS / MOST_POINTS)) * HOUR_MS
  return groupCandles(series, { fromMs: Math.max(0, fromMs), toMs, groupMs }).map(
    ({ openTimeMs, close }) => ({
      at: new Date(Math.min(openTimeMs + groupMs, toMs)).toISOString(),
      value: unitsToDecimal(close, 8),
    }),
  )
}
