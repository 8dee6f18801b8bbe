import { checkInvestment, checkPairs } from '#core/bots/bot.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/throttle.ts'
import { replayRules, showReplay } from './show-backtest.ts'

/** Backtests a configuration before any money is committed. */
export const runBacktest: Handler<'runBacktest'> = async (context, { userId, body, gone }) => {
  const pairs = checkPairs(body.tradingPairs, context.feed.pairs)
  const invested = decimalToUnits(body.investmentAmount)
  checkInvestment({ amount: invested, available: invested })
  await throttle(context.sql, { key: `backtest:${userId}`, limit: 120, windowSeconds: 60 })
  return showReplay(await replayRules(context, { riskLevel: body.riskLevel, pairs, invested, days: body.days }, { owner: userId, gone }))
}
