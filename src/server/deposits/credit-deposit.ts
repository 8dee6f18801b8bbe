import { assert } from '#core/assert.ts'
import { depositCredited } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Transaction } from '#server/db/open.ts'
import { publishMoney } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { writeTransaction } from '#server/transactions/write.ts'
import { findIntent, lockIntent, markIntentSucceeded } from './store.ts'

/**
 * Credits what the provider says was paid, once, whoever asks first: the user's confirmation, a webhook or the sweep.
 * Answers the amount. Refuses as 'payment-not-succeeded' where the provider has no money for it.
 */
export async function creditDeposit(context: Context, intentId: string): Promise<Units> {
  const known = await findIntent(context.sql, intentId)
  if (!known) throw new Refusal('not-found')
  if (known.received !== null) return known.received
  const truth = await context.payments.retrieveIntent(intentId)
  if (truth?.status !== 'succeeded') throw new Refusal('payment-not-succeeded')
  assert(truth.userId === known.userId, 'the provider knows this intent under another user')
  return atomically(context.sql, (tx) => commit(context, tx, { intentId, received: truth.received }))
}

async function commit(context: Context, tx: Transaction, { intentId, received }: { intentId: string; received: Units }): Promise<Units> {
  const intent = await lockIntent(tx, intentId)
  assert(intent, 'an intent is never deleted')
  if (intent.received !== null) return intent.received
  const { userId } = intent
  const id = context.newId()
  const movement = depositCredited({ userId, amount: received })
  await post(tx, { id, dedupKey: `deposit:${intentId}`, movement, userId, eventTime: context.market.now() })
  await markIntentSucceeded(tx, intentId, received)
  await writeTransaction(tx, {
    id: context.newId(),
    userId,
    type: 'deposit',
    amount: received,
    status: 'completed',
    description: 'Card deposit',
    transferId: id,
    paymentIntentId: intentId,
  })
  await publishMoney(tx, userId)
  return received
}
