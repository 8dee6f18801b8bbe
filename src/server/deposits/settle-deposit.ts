import { assert } from '#core/assert.ts'
import { settlePayment, type Booking } from '#core/deposits/settlement.ts'
import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import { coalesce } from '#server/kernel/promises.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { publishMoney } from '#server/events/bus.ts'
import { lockCashAndDebt } from '#server/ledger/read.ts'
import type { IntentState } from '#server/ports/payments.ts'
import { postBooking } from './post-booking.ts'
import { adoptIntent, findIntent, lockIntent, markSettled, type StoredIntent } from './store.ts'

/**
 * Maximum attempts. Other processes may settle the same payment at the same time, but at each
 * attempt one of them succeeds.
 */
const ATTEMPTS = 20

const settling = new WeakMap<Context, (intentId: string) => Promise<Units | undefined>>()

/**
 * Brings the ledger in line with the provider's state of a payment: credits it once and takes back
 * refunds and disputes, whoever calls first (the user's confirmation, a webhook, the sweep) and
 * however often. Returns the amount received; undefined if there is none.
 */
export function settleDeposit(context: Context, intentId: string): Promise<Units | undefined> {
  const known = settling.get(context)
  const settle = known ?? coalesce((id) => settleOnce(context, id))
  if (!known) settling.set(context, settle)
  return settle(intentId)
}

/**
 * Reads the row's revision, then the provider's state, and books that state only if the revision is
 * still the same. So states are booked in the order in which they were true, even if answers
 * overtake each other.
 */
async function settleOnce(context: Context, intentId: string): Promise<Units | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const known = await findIntent(context.sql, intentId)
    if (known && known.provider !== context.payments.provider) return known.received ?? undefined
    const truth = await context.payments.retrieveIntent(intentId)
    if (truth?.status !== 'succeeded') return undefined
    if (!known) {
      if (!(await adopt(context, intentId, truth))) return undefined
    } else if (truth.userId !== known.userId) {
      context.log.error(
        { intentId },
        'the card provider has this payment under another user: it is not credited',
      )
      return undefined
    } else if (await context.atomically((tx) => commit(context, tx, { known, truth }))) {
      return truth.received
    }
  }
  throw new Refusal('temporarily-unavailable')
}

/** Inserts the missing row of a payment of one of our users, from the provider's record. */
async function adopt(
  { sql, payments }: Context,
  id: string,
  { userId, received }: IntentState,
): Promise<boolean> {
  return adoptIntent(sql, { id, userId, provider: payments.provider, amount: received })
}

/** False if another process settled it after `known` was read. */
async function commit(
  context: Context,
  tx: BookWrite,
  { known, truth }: { known: StoredIntent; truth: IntentState },
): Promise<boolean> {
  const { id, userId } = known
  const booked = await lockIntent(tx.sql, known)
  assert(booked, 'an intent is never deleted')
  if (booked.revision !== known.revision) return false
  const bookings = settlePayment({
    userId,
    booked,
    truth,
    funds: await lockCashAndDebt(tx.sql, userId),
  })
  for (const booking of bookings)
    await postBooking(context, tx, {
      userId,
      dedupKey: dedupKeyOf(booking, booked),
      booking,
      paymentIntentId: id,
    })
  await markSettled(tx.sql, { ...truth, userId, id })
  if (bookings.length > 0) await publishMoney(tx.sql, userId, ['withdrawals'])
  return true
}

/**
 * A deposit happens once, but amounts taken back or returned may change with every settlement, so
 * their keys contain the revision.
 */
function dedupKeyOf({ movement: { kind } }: Booking, { id, revision }: StoredIntent): string {
  return kind === 'deposit' ? `deposit:${id}` : `${kind}:${id}:${revision}`
}
