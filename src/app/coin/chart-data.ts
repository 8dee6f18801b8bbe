import type { BotOnMarket, Market, MarketTrade } from '#contract/market.ts'
import { startOfGroup } from '#core/market/candle-groups.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'
import { moneyText } from '#words/figures.ts'
import { listText } from '#words/list-text.ts'
import { nextPriceText, sideOfMove } from '#words/next-move.ts'
import { t, tCount } from '#words/words.ts'
import type { CandleData, DrawnForecast } from '#app/ui/chart-canvas/candle-drawing.ts'
import { signalOf, unitsOfSignal } from '#core/money/signal.ts'
import { fanOf } from '#app/ui/charts/fan.ts'

export type Candles = Market['candles']

/** Times and prices as numbers, for drawing only. */
export function candleData(
  candles: Candles,
  {
    trades,
    ...others
  }: Pick<CandleData, 'forecast' | 'prices'> & { trades: readonly TradesInCandle[] },
): CandleData {
  const drawn = candles.map(({ at, open, high, low, close }) => ({
    timeMs: Date.parse(at),
    open: signalOf(open),
    high: signalOf(high),
    low: signalOf(low),
    close: signalOf(close),
  }))
  const sides = trades.flatMap(({ timeMs, bought, sold }) => [
    ...(bought > 0 ? [{ timeMs, side: 'buy' as const }] : []),
    ...(sold > 0 ? [{ timeMs, side: 'sell' as const }] : []),
  ])
  const step = stepOf(drawn.at(-1)?.close ?? 0)
  return { candles: drawn, ...others, trades: sides, scaleText, step }
}

/**
 * The forecast range from the last closed hour on. Empty for candles longer than a day.
 */
export function drawnForecast({
  candles,
  candleHours,
  closedUntil,
  forecast,
}: Market): DrawnForecast {
  const last = candles.at(-1)
  const groupMs = candleHours * HOUR_MS
  if (!last || !forecast || groupMs > DAY_MS) return []
  const [startMs, price] = [Date.parse(last.at), signalOf(last.close)]
  const steps = (startOfGroup(Date.parse(closedUntil) + DAY_MS - 1, groupMs) - startMs) / groupMs
  return fanOf(price, forecast, steps).map((ends, step) => ({
    timeMs: startMs + step * groupMs,
    ...ends,
  }))
}

export type NextPrice = { action: 'buy' | 'sell'; price: string }

/** The prices beyond which the close of an hour makes the user's bots buy or sell, each once. */
export function nextPrices(bots: readonly BotOnMarket[]): NextPrice[] {
  const moves = bots.flatMap(({ wantedPercent, next }) =>
    (['above', 'below'] as const).flatMap((side) => {
      const { price, percent } = next[side] ?? {}
      if (price === undefined || percent === undefined) return []
      const action = sideOfMove(side, { before: wantedPercent, after: percent })
      return [[`${action} ${price}`, { action, price }] as const]
    }),
  )
  return [...new Map(moves).values()]
}

/** The dotted lines in words. */
export function nextPricesText(prices: readonly NextPrice[]): string {
  const listed = (wanted: NextPrice['action']) =>
    listText(
      prices.filter(({ action }) => action === wanted).map(({ price }) => nextPriceText(price)),
    )
  const [buys, sells] = [listed('buy'), listed('sell')]
  return [
    buys && t('Dotted: your bots buy if an hour closes beyond {prices}.', { prices: buys }),
    sells && t('Dotted: your bots sell if an hour closes beyond {prices}.', { prices: sells }),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Times of everything drawn, from left to right: candles, then the forecast after the last one. */
export function drawnTimes({ candles, forecast }: CandleData): number[] {
  const timesMs = candles.map(({ timeMs }) => timeMs)
  const lastMs = timesMs.at(-1) ?? 0
  return [...timesMs, ...forecast.map(({ timeMs }) => timeMs).filter((timeMs) => timeMs > lastMs)]
}

/** From this price on, cents do not matter on the scale. */
const LARGE = 1_000

function scaleText(price: number): string {
  return moneyText({ amount: unitsOfSignal(price), precision: price >= LARGE ? 'whole' : 'price' })
}

function stepOf(price: number): number {
  if (price >= LARGE) return 1
  return price >= 1 ? 0.01 : 0.0001
}

export type TradesInCandle = { timeMs: number; bought: number; sold: number }

export function tradesByCandle(
  trades: readonly MarketTrade[],
  { candles, candleHours }: { candles: Candles; candleHours: number },
): TradesInCandle[] {
  const shown = new Map(
    candles.map(({ at }) => [Date.parse(at), { timeMs: Date.parse(at), bought: 0, sold: 0 }]),
  )
  for (const { marketTime, side } of trades) {
    const candle = shown.get(startOfGroup(Date.parse(marketTime), candleHours * HOUR_MS))
    if (!candle) continue
    if (side === 'buy') candle.bought += 1
    else candle.sold += 1
  }
  return [...shown.values()].filter(({ bought, sold }) => bought + sold > 0)
}

export function summaryOf(
  candles: Candles,
): { change: string; lowest: string; highest: string } | undefined {
  const [first, last] = [candles[0], candles.at(-1)]
  if (!first || !last) return undefined
  const [start, end] = [decimalToUnits(first.open), decimalToUnits(last.close)]
  const lowest = candles.reduce(
    (least, { low }) => (decimalToUnits(low) < decimalToUnits(least) ? low : least),
    first.low,
  )
  const highest = candles.reduce(
    (most, { high }) => (decimalToUnits(high) > decimalToUnits(most) ? high : most),
    first.high,
  )
  return { change: percentOf({ part: end - start, whole: start }), lowest, highest }
}

const HOURS_A_DAY = 24

export function lengthText(hours: number): string {
  if (hours === 1) return t('an hour')
  if (hours % HOURS_A_DAY !== 0)
    return tCount(hours, { one: '{count} hour', other: '{count} hours' })
  return tCount(hours / HOURS_A_DAY, { one: '{count} day', other: '{count} days' })
}

export function tradesSentence(trades: TradesInCandle | undefined): string {
  if (!trades) return ''
  const [bought, sold] = [timesText(trades.bought), timesText(trades.sold)]
  if (trades.sold === 0) return t('Your bots bought {bought}.', { bought })
  return trades.bought === 0
    ? t('Your bots sold {sold}.', { sold })
    : t('Your bots bought {bought} and sold {sold}.', { bought, sold })
}

function timesText(count: number): string {
  return tCount(count, { one: 'once', other: '{count} times' })
}
