import type { Bot, BotTrade } from '#contract/bots.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'
import { amountOf } from '#core/trading/allocation.ts'
import type { StoredBot, StoredTrade } from './store.ts'

export function showBot(bot: StoredBot): Bot {
  const { id, name, riskLevel, tradingPairs, invested, status, equity } = bot
  const profit = equity - invested
  return {
    id,
    name,
    riskLevel,
    tradingPairs,
    investmentAmount: unitsToDecimal(invested, 2),
    isActive: status === 'entering' || status === 'following',
    status: status === 'paused' || status === 'closing' ? status : 'active',
    equity: unitsToDecimal(equity, 2),
    totalProfit: unitsToDecimal(profit, 2),
    totalReturn: percentOf({ part: profit, whole: invested }),
    createdAt: bot.createdAt.toISOString(),
    updatedAt: bot.updatedAt.toISOString(),
  }
}

export function showTrade(trade: StoredTrade): BotTrade {
  const { blockId, botId, pair, side, quantity, price, total, fee, profit, platformFee, reason, marketTime, createdAt } = trade
  return {
    id: `${blockId}.${botId}`,
    botId,
    tradingPair: pair,
    side,
    quantity: unitsToDecimal(quantity, 8),
    price: unitsToDecimal(price, 8),
    amount: unitsToDecimal(amountOf({ share: { quantity, total, fee }, side }), 2),
    venueFee: unitsToDecimal(fee, 8),
    profit: profit === null ? null : unitsToDecimal(profit, 8),
    platformFee: platformFee === null ? null : unitsToDecimal(platformFee, 8),
    reason,
    status: 'completed',
    marketTime: marketTime.toISOString(),
    createdAt: createdAt.toISOString(),
  }
}
