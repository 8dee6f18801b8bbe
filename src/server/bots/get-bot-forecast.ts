import { checkPairs } from '#core/bots/bot.ts'
import type { Handler } from '#server/action.ts'
import { findExposures } from '#server/market/clock.ts'
import { nextDayOf } from '#server/market/next-day.ts'

const ALL_BPS = 10_000

export const getBotForecast: Handler<'getBotForecast'> = async (
  { sql, feed, candles, market },
  { query: { strategy, pairs: names } },
) => {
  const pairs = checkPairs(names.split(','), feed.pairs)
  const wanted = await Promise.all(pairs.map((pair) => findExposures(sql, pair)))
  const shares = pairs.flatMap((pair, which) => {
    const exposure = wanted[which]?.find((one) => one.strategy === strategy)
    return exposure ? [[pair, exposure.exposureBps / ALL_BPS / pairs.length] as const] : []
  })
  // In a new book the rules may not have decided on each coin yet.
  if (shares.length < pairs.length) return { isInCash: false, nextDay: null }
  return {
    isInCash: shares.every(([, share]) => share === 0),
    nextDay: nextDayOf(candles, { strategy, shares, at: market.now() }),
  }
}
