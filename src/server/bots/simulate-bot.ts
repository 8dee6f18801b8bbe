import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { simulationMessage } from '#words/simulation-message.ts'
import { t } from '#words/words.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/security/throttle.ts'
import { replayRules, showReplay } from './show-backtest.ts'
import { findBot } from './store.ts'

const SIMULATION_DAYS = 30

export const simulateBot: Handler<'simulateBot'> = async (
  context,
  { userId, params: { id }, gone },
) => {
  const bot = await findBot(context.sql, { userId, id })
  if (!bot) throw new Refusal('not-found')
  await throttle(context.sql, { key: `backtest:${userId}`, limit: 120, windowSeconds: 60 })
  const { strategy, feeBps, tradingPairs: pairs, invested } = bot
  const result = showReplay(
    await replayRules(
      context,
      { strategy, feeBps, pairs, invested, days: SIMULATION_DAYS, guards: bot.guards ?? undefined },
      { owner: userId, gone },
    ),
  )
  const message = simulationMessage({
    trades: result.tradeCount,
    netResult: decimalToUnits(result.netResult),
  })
  return { ...result, title: t('Trading Session Complete'), message }
}
