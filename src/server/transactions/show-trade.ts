import type { BotTrade, TradeFigures } from '#contract/bots.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { signedAmountOf } from '#core/trading/allocation.ts'
import { inWords } from '#words/in-words.ts'
import { tradeId, type BotsTrade } from '#server/holdings/derived-trades.ts'

export function showFigures({
  change,
  side,
  share,
  profit,
}: Pick<BotsTrade, 'change' | 'side' | 'share' | 'profit'>): TradeFigures {
  const { pair, price, reason, marketTime } = change
  return {
    tradingPair: pair,
    side,
    quantity: unitsToDecimal(share.quantity, 8),
    price: unitsToDecimal(price, 8),
    amount: unitsToDecimal(signedAmountOf({ share, side }), 2).replace('-', ''),
    venueFee: unitsToDecimal(share.fee, 8),
    profit: profit === null ? null : unitsToDecimal(profit, 8),
    reason: inWords(reason),
    marketTime: marketTime.toISOString(),
  }
}

export function showTrade(trade: BotsTrade): BotTrade {
  const { botId, change } = trade
  return {
    id: tradeId(trade),
    botId,
    status: 'completed',
    createdAt: change.createdAt.toISOString(),
    ...showFigures(trade),
  }
}
