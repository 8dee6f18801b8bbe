import type { Booking } from '#core/deposits/settlement.ts'
import { maximum } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { post } from '#server/ledger/post.ts'
import { notify, type NewNotice } from '#server/notices/notify.ts'
import { writeTransaction } from '#server/transactions/write.ts'

type Booked = { userId: string; dedupKey: string; booking: Booking; paymentIntentId?: string }

export async function postBooking(
  context: Context,
  tx: BookWrite,
  { userId, dedupKey, booking, paymentIntentId }: Booked,
): Promise<void> {
  const { movement, type, cash, description } = booking
  const transferId = context.newId()
  await post(tx, { id: transferId, dedupKey, movement, userId, eventTime: context.market.now() })
  const row = {
    id: context.newId(),
    userId,
    type,
    amount: cash,
    status: 'completed',
    description,
    transferId,
  } as const
  await writeTransaction(tx.sql, { ...row, ...(paymentIntentId && { paymentIntentId }) })
  await notify(tx.sql, ...noticesOf(row, booking))
}

/** Notices of card deposits and reversals. Repayments of debts are only in the history. */
function noticesOf(
  { id, userId, type }: { id: string; userId: string; type: Booking['type'] },
  { cash, movement }: Booking,
): NewNotice[] {
  const isTakenBack = movement.kind === 'refund' || movement.kind === 'dispute'
  if (movement.kind !== 'deposit' && !isTakenBack) return []
  const amount = isTakenBack ? takenBack(movement) : cash
  return [
    {
      userId,
      kind: type === 'deposit' ? 'deposit' : 'deposit-taken-back',
      event: `transaction:${id}`,
      details: { amount: unitsToDecimal(amount, 2), transactionId: id },
    },
  ]
}

/** The sum of the amount taken from the cash and the amount owed. */
function takenBack({ entries }: Booking['movement']): bigint {
  return entries.reduce((sum, { amount }) => sum + maximum(0n, amount), 0n)
}
