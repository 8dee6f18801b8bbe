import { expect, test } from 'vitest'
import { DAY_MS, YEAR_MS } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import { sentence } from '#core/sentences.ts'
import type { Side } from '#core/trading/fill.ts'
import { openCandles } from '#server/market/candle-cache.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { pictureOf } from './trade-picture.ts'

const FEED = simulatedFeed({ seed: 7 })
const PAIR: Pair = 'BTC/USDT'

/** History begins a year later from here on: the trade and the present have different series. */
const TURN_MS = 56 * YEAR_MS

const trade = (side: Side, days: number) => ({
  side,
  change: {
    pair: PAIR,
    reason: sentence('leaving'),
    marketTime: new Date(TURN_MS + days * DAY_MS),
    price: 100n,
  },
})
const sale = trade('sell', -20)
const trades = [sale, trade('buy', -24), trade('buy', -26)]

/** The picture of the sale, drawn that many days after the turn. */
function pictureAfter(days: number) {
  const now = new Date(TURN_MS + days * DAY_MS)
  const candles = openCandles(FEED)
  const present = candles.until(PAIR, now.getTime())
  const picture = pictureOf({ candles, market: { now: () => now } }, { trade: sale, trades })
  return { picture, present, after: candles.until(PAIR, now.getTime()) }
}

test('an old trade keeps its picture, which takes prices from the present series', () => {
  const [soon, late] = [pictureAfter(-19), pictureAfter(10)]
  expect(late.picture).toEqual(soon.picture)
  expect(late.picture?.prices.at(-1)?.at).toBe(new Date(TURN_MS - 19 * DAY_MS).toISOString())
  expect(late.after).toBe(late.present)
})
