import { required } from '#core/assert.ts'
import { HOUSE } from '#core/ledger/account.ts'
import { Refusal } from '#core/refusal.ts'
import type { BookTotals } from '#core/withdrawals/payout-proof.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { contentOfEvent, contentOfTransfer } from '#server/seal.ts'
import {
  sealedEvents,
  sealedTransfers,
  type StoredEvent,
  type StoredTransfer,
} from './sealed-rows.ts'

/** All transfers of a user. Refuses as 'payout-unproven' if the seal of one is broken. */
export async function readSealedTransfersOf(
  tx: Queries,
  userId: string,
): Promise<StoredTransfer[]> {
  const seals = required(tx.seals, 'the book is open')
  const found: StoredTransfer[] = []
  for await (const rows of sealedTransfers(tx, part`t.user_id = ${userId}`)) found.push(...rows)
  const broken = found.find((row) => !seals.fits(row.seal, 'transfer', contentOfTransfer(row)))
  if (broken)
    throw new Refusal('payout-unproven', {
      sentence: `This payout is not proven: the seal of the transfer ${broken.dedupKey} is broken.`,
    })
  return found
}

/** The audit events about a subject whose seals are whole; others count for nothing. */
export const readSealedEventsOf = (tx: Queries, subject: string): Promise<StoredEvent[]> =>
  readSealedEvents(tx, part`e.subject = ${subject}`)

/** Like `readSealedEventsOf`, by a condition on the event `e`. */
export async function readSealedEvents(tx: Queries, where: Fragment): Promise<StoredEvent[]> {
  const seals = required(tx.seals, 'the book is open')
  const found: StoredEvent[] = []
  for await (const rows of sealedEvents(tx, part`(${where})`))
    found.push(...rows.filter((row) => seals.fits(row.seal, 'audit event', contentOfEvent(row))))
  return found
}

export async function readBookTotals(tx: Queries): Promise<BookTotals> {
  const [row] = await tx<BookTotals[]>`
    select coalesce(sum(balance) filter (where code in ('payout:clearing', 'bank')
           and user_id <> ${HOUSE}), 0)::bigint as "left",
           coalesce(-sum(balance) filter (where code = 'card:clearing'), 0)::bigint as deposits,
           coalesce(-sum(balance) filter (where code = 'rounding' or user_id = ${HOUSE}
           and code in ('venue', 'bank', 'interest')), 0)::bigint as traded,
           coalesce(-sum(balance) filter (where code = 'customer:receivable'), 0)::bigint as owed,
           coalesce(sum(balance) filter (where code = 'bots'), 0)::bigint as bots
      from ledger_accounts where asset = 'USD'`
  return required(row, 'sums have a row')
}
