import type { Transaction } from '#contract/transactions.ts'
import { baseOf } from '#core/market/pair.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { tradeId, type HistoryTrade } from '#server/holdings/derived-trades.ts'
import type { HistoryRow } from './store.ts'

/** A trade as a row of the history, with its bot's name and the money moved between the bot's cash and coins. */
export function tradeRow({ change, botId, side, share }: HistoryTrade, botName: string): HistoryRow {
  return {
    id: tradeId({ change, botId }),
    sortId: change.id,
    type: 'trade',
    description: `${side === 'buy' ? 'Bought' : 'Sold'} ${baseOf(change.pair)} · ${botName}`,
    amount: side === 'buy' ? -share.total : share.total,
    currency: 'USD',
    status: 'completed',
    createdAt: change.createdAt,
  }
}

export function showTransaction({ id, type, description, amount, currency, status, createdAt }: HistoryRow): Transaction {
  return { id, type, description, amount: unitsToDecimal(amount, 2), currency, status, createdAt: createdAt.toISOString() }
}
