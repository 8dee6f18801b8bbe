import type { Transaction } from '#contract/transactions.ts'
import { centsBetween } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { reasonOfTrade } from '#core/strategy/trade-reason.ts'
import { signedAmountOf } from '#core/trading/allocation.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { tradeId, type HistoryTrade, type BotsTrade } from '#server/holdings/derived-trades.ts'
import { tradeText } from './search.ts'
import type { HistoryRow } from './store.ts'
import type { BotTrade, TradeFigures } from '#contract/bots.ts'

/** A trade as a row of the history, with the amount that its bot shows. */
export function tradeRow(
  { change, botId, side, share }: HistoryTrade,
  botName: string,
): HistoryRow {
  return {
    id: tradeId({ change, botId }),
    sortId: change.id,
    type: 'trade',
    description: tradeText({ pair: change.pair, side, botName }),
    amount: signedAmountOf({ share, side }),
    currency: 'USD',
    status: 'completed',
    createdAt: change.createdAt,
    marketTime: change.marketTime,
    botId,
    botName,
    venueFee: share.fee,
    sendsAfter: null,
  }
}

/**
 * `earlier`: the sum of the user's earlier rows; its fraction of a cent is enough. The amount shown
 * is the change of the shown balance, so that all rows add up to the balance.
 */
export function showTransaction(row: HistoryRow, earlier = 0n): Transaction {
  const {
    id,
    type,
    description,
    amount,
    currency,
    status,
    createdAt,
    marketTime,
    botId,
    botName,
    venueFee,
    sendsAfter,
  } = row
  return {
    id,
    type,
    description: sentenceText(description),
    amount: unitsToDecimal(centsBetween({ before: earlier, after: earlier + amount }), 2),
    currency,
    status,
    createdAt: createdAt.toISOString(),
    marketTime: marketTime.toISOString(),
    bot: botId === null ? null : { id: botId, name: botName ?? '' },
    venueFee: venueFee === null ? null : unitsToDecimal(venueFee, 8),
    sendsAfter: sendsAfter?.toISOString() ?? null,
  }
}

export function showFigures({
  change,
  side,
  share,
  profit,
}: Pick<BotsTrade, 'change' | 'side' | 'share' | 'profit'>): TradeFigures {
  const { pair, price, marketTime } = change
  return {
    tradingPair: pair,
    side,
    quantity: unitsToDecimal(share.quantity, 8),
    price: unitsToDecimal(price, 8),
    amount: unitsToDecimal(signedAmountOf({ share, side }), 2).replace('-', ''),
    venueFee: unitsToDecimal(share.fee, 8),
    profit: profit === null ? null : unitsToDecimal(profit, 8),
    reason: sentenceText(reasonOfTrade(change, side)),
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
