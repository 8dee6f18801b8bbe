import { checkPairs, checkStrategy } from '#core/bots/bot.ts'
import { strategyKey } from '#core/strategy/strategy-key.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/security/throttle.ts'

/** The past outcomes of a bot before any money is committed. */
export const runBotEvidence: Handler<'runBotEvidence'> = async (
  { evidence, feed, sql },
  { userId, body, gone },
) => {
  const pairs = checkPairs(body.tradingPairs, feed.pairs)
  await throttle(sql, { key: `backtest:${userId}`, limit: 120, windowSeconds: 60 })
  return evidence.ofBot(
    { strategy: strategyKey(checkStrategy(body)), pairs },
    { owner: userId, gone },
  )
}
