import { checkPairs } from '#core/bots/bot.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/security/throttle.ts'
import { found } from './get-evidence-bundle.ts'

/** The proof of a bot's past twelve-month outcomes. */
export const getBotBundle: Handler<'getBotBundle'> = async (
  { evidence, feed, sql },
  { userId, query },
) => {
  const pairs = checkPairs(query.pairs.split(','), feed.pairs)
  await throttle(sql, { key: `backtest:${userId}`, limit: 120, windowSeconds: 60 })
  return found(await evidence.bundle({ strategy: query.strategy, pairs }, { owner: userId }))
}
