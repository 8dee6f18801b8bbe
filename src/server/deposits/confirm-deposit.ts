import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { depositTransactionId } from '#server/transactions/write.ts'
import { settleDeposit } from './settle-deposit.ts'
import { findIntentOf } from './store.ts'

/** The client's amount is ignored: only the provider's amount counts. */
export const confirmDeposit: Handler<'confirmDeposit'> = async (context, { userId, body }) => {
  const intent = await findIntentOf(context.sql, { userId, id: body.paymentIntentId })
  if (!intent) throw new Refusal('not-found')
  const received = intent.received ?? (await settleDeposit(context, intent.id))
  if (received === undefined) throw new Refusal('payment-not-succeeded')
  const [{ cash }, transactionId] = await Promise.all([
    readBalances(context.sql, userId),
    depositTransactionId(context.sql, intent),
  ])
  return {
    status: 'completed',
    amount: unitsToDecimal(received, 2),
    transactionId,
    availableBalance: unitsToDecimal(cash, 2),
  }
}
