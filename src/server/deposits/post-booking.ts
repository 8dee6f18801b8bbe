import type { Booking } from '#core/deposits/settlement.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/open.ts'
import { post } from '#server/ledger/post.ts'
import { writeTransaction } from '#server/transactions/write.ts'

type Booked = { userId: string; dedupKey: string; booking: Booking; paymentIntentId?: string }

/** Posts a movement together with its row in the history. */
export async function postBooking(context: Context, tx: Transaction, { userId, dedupKey, booking, paymentIntentId }: Booked): Promise<void> {
  const { movement, type, cash, description } = booking
  const transferId = context.newId()
  await post(tx, { id: transferId, dedupKey, movement, userId, eventTime: context.market.now() })
  const row = { id: context.newId(), userId, type, amount: cash, status: 'completed', description, transferId } as const
  await writeTransaction(tx, { ...row, ...(paymentIntentId && { paymentIntentId }) })
}
