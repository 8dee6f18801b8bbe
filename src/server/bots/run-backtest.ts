import { checkInvestment, checkPairs, checkStrategy } from '#core/bots/bot.ts'
import { checkGuards } from '#core/guards/guard-settings.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { strategyKey, feeBpsOf } from '#core/strategy/strategy-key.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/security/throttle.ts'
import { replayRules, showReplay } from './show-backtest.ts'

export const runBacktest: Handler<'runBacktest'> = async (context, { userId, body, gone }) => {
  const choice = checkStrategy(body)
  const pairs = checkPairs(body.tradingPairs, context.feed.pairs)
  const invested = decimalToUnits(body.investmentAmount)
  checkInvestment({ amount: invested, available: invested })
  await throttle(context.sql, { key: `backtest:${userId}`, limit: 120, windowSeconds: 60 })
  return showReplay(
    await replayRules(
      context,
      {
        strategy: strategyKey(choice),
        feeBps: feeBpsOf(choice.strategy, { holdFeeBps: context.config.HOLD_FEE_BPS }),
        pairs,
        invested,
        days: body.days,
        guards: checkGuards(body.guards),
      },
      { owner: userId, gone },
    ),
  )
}
