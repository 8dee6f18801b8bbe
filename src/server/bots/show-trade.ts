import type { BotTrade, TradeFigures } from '#contract/bots.ts'
import type { Pair } from '#core/market/pair.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Units } from '#core/money/amount.ts'
import { amountOf } from '#core/trading/allocation.ts'
import type { Side } from '#core/trading/fill.ts'

/** A bot's share of a block as the ledger has it. `total` is what its cash gained or lost. */
export type TradeShare = {
  pair: Pair
  side: Side
  quantity: Units
  price: Units
  total: Units
  fee: Units
  profit: Units | null
  platformFee: Units | null
  reason: string
  marketTime: Date
}

export type StoredTrade = TradeShare & { blockId: string; botId: string; createdAt: Date }

export function showFigures({ pair, side, quantity, price, total, fee, profit, platformFee, reason, marketTime }: TradeShare): TradeFigures {
  return {
    tradingPair: pair,
    side,
    quantity: unitsToDecimal(quantity, 8),
    price: unitsToDecimal(price, 8),
    amount: unitsToDecimal(amountOf({ share: { quantity, total, fee }, side }), 2),
    venueFee: unitsToDecimal(fee, 8),
    profit: profit === null ? null : unitsToDecimal(profit, 8),
    platformFee: platformFee === null ? null : unitsToDecimal(platformFee, 8),
    reason,
    marketTime: marketTime.toISOString(),
  }
}

export function showTrade(trade: StoredTrade): BotTrade {
  const { blockId, botId, createdAt } = trade
  return { id: `${blockId}.${botId}`, botId, status: 'completed', createdAt: createdAt.toISOString(), ...showFigures(trade) }
}
