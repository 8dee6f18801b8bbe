import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import { ONE } from '#core/money/amount.ts'
import { candlesBetween } from '#server/market/candle-cache.ts'
import { createWorld, feedOf, type World } from '../world/world.ts'

const BEGIN_MS = Date.UTC(2024, 2, 1)
const PAST_HOURS = 2_200
const COMING_HOURS = 400

/**
 * A world with one pair, BTC/USDT. `moveOf` gives the change of its price in an hour, in
 * thousandths of a percent.
 */
export async function createMarketWorld(
  moveOf: (hoursBeforeNow: number) => number,
): Promise<World> {
  const series = seriesOf(candlesOf(moveOf))
  const feed = feedOf(new Map([['BTC/USDT', series]]), {
    beginMs: () => BEGIN_MS,
    endMs: BEGIN_MS + COMING_HOURS * HOUR_MS,
    candles: ({ fromMs, toMs }) => candlesBetween(series, { fromMs, toMs }),
  })
  return createWorld({ feed })
}

function candlesOf(moveOf: (hoursBeforeNow: number) => number): Candle[] {
  let price = 20_000n * ONE
  return Array.from({ length: PAST_HOURS + COMING_HOURS }, (_, hour): Candle => {
    const open = price
    const close = (open * BigInt(100_000 + moveOf(PAST_HOURS - hour))) / 100_000n
    price = close
    const [low, high] = open < close ? [open, close] : [close, open]
    return { openTimeMs: BEGIN_MS + (hour - PAST_HOURS) * HOUR_MS, open, high, low, close }
  })
}
