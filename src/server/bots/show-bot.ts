import type { Bot } from '#contract/bots.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'
import type { StoredBot } from './store.ts'

export function showBot(bot: StoredBot): Bot {
  const { id, name, riskLevel, tradingPairs, invested, status, takingBps, equity } = bot
  const profit = equity - invested
  return {
    id,
    name,
    riskLevel,
    tradingPairs,
    investmentAmount: unitsToDecimal(invested, 2),
    isActive: status === 'active',
    status: status === 'paused' || status === 'closing' ? status : 'active',
    takingOutPercent: takingBps === null ? null : takingBps / 100,
    equity: unitsToDecimal(equity, 2),
    totalProfit: unitsToDecimal(profit, 2),
    totalReturn: percentOf({ part: profit, whole: invested }),
    createdAt: bot.createdAt.toISOString(),
    updatedAt: bot.updatedAt.toISOString(),
  }
}
