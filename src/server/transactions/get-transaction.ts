import type { TransactionReceipt } from '#contract/transactions.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { showFigures } from '#server/bots/show-trade.ts'
import type { Queries } from '#server/db/open.ts'
import type { Handler } from '#server/http/handler.ts'
import { isId } from '#server/ids.ts'
import { showTransaction } from './list-transactions.ts'
import { findLines, findTradeReceipt, findTransaction } from './store.ts'

/** A row of the history with the ledger lines behind it. */
export const getTransaction: Handler<'getTransaction'> = async ({ sql }, { userId, params: { id } }) => {
  const [first = '', botId] = id.split('.')
  if (botId !== undefined) return tradeReceipt(sql, { userId, blockId: first, botId })
  const row = isId(id) ? await findTransaction(sql, { userId, id }) : undefined
  if (!row) throw new Refusal('not-found')
  const lines = await findLines(sql, { ...row, userId })
  return {
    transaction: showTransaction(row),
    reference: id,
    lines: lines.map(({ account, asset, amount, recordedAt }) => ({ account, asset, amount: unitsToDecimal(amount, 8), at: recordedAt.toISOString() })),
    paymentIntentId: row.paymentIntentId,
    trade: null,
  }
}

async function tradeReceipt(sql: Queries, { userId, blockId, botId }: { userId: string; blockId: string; botId: string }): Promise<TransactionReceipt> {
  const trade = isId(blockId) && isId(botId) ? await findTradeReceipt(sql, { userId, blockId, botId }) : undefined
  if (!trade) throw new Refusal('not-found')
  const { side, pair, quantity, total, createdAt } = trade
  const base = pair.split('/')[0] ?? ''
  const signed = side === 'buy' ? -total : total
  const id = `${blockId}.${botId}`
  const description = `${side === 'buy' ? 'Bought' : 'Sold'} ${base} · ${trade.botName}`
  const at = createdAt.toISOString()
  return {
    transaction: { id, type: 'trade', description, amount: unitsToDecimal(signed, 2), currency: 'USD', status: 'completed', createdAt: at },
    reference: id,
    lines: [
      { account: 'bots', asset: 'USD', amount: unitsToDecimal(signed, 8), at },
      { account: 'bots', asset: base, amount: unitsToDecimal(side === 'buy' ? quantity : -quantity, 8), at },
      ...(trade.platformFee ? [{ account: 'fees:income', asset: 'USD', amount: unitsToDecimal(trade.platformFee, 8), at }] : []),
    ],
    paymentIntentId: null,
    trade: showFigures(trade),
  }
}
