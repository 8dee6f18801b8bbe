import type { Book } from '#server/db/book.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { timeOfId } from '#server/kernel/ids.ts'
import {
  type SealedEvent,
  type SealedTransfer,
  contentOfEvent,
  contentOfTransfer,
} from '#server/kernel/seal.ts'
import { required } from '#core/assert.ts'
import { HOUSE } from '#core/ledger/account.ts'
import { Refusal } from '#core/refusal.ts'
import type { BookTotals, PayoutEvidence, PostedTransfer } from '#core/withdrawals/payout-proof.ts'

/** Rows read at once. */
const BATCH = 1_000

type StoredTransfer = SealedTransfer & { seal: string | null }
type StoredEvent = SealedEvent & { seal: string | null }

type TransferRow = Omit<StoredTransfer, 'lines'> & {
  lines: [code: string, asset: string, pool: string, amount: string][]
}

/** Reads sealed transfers in batches. `where`: a condition on the transfer `t`. */
export async function* sealedTransfers(
  tx: Queries,
  where: Fragment,
): AsyncGenerator<StoredTransfer[]> {
  let last: Pick<StoredTransfer, 'userId' | 'id'> | undefined
  do {
    const after = last ? part`(t.user_id, t.id) > (${last.userId}, ${last.id})` : part`true`
    const rows: TransferRow[] = await tx<TransferRow[]>`
      select t.user_id, t.id, t.kind, t.dedup_key, t.event_time, t.seal, (
             select coalesce(json_agg(json_build_array(a.code, a.asset, coalesce(a.pool::text, ''),
                    e.amount::text)), '[]')
               from ledger_entries e left join ledger_accounts a on a.user_id = e.user_id
                and a.id = e.account_id
              where e.user_id = t.user_id and e.transfer_id = t.id) as lines
        from ledger_transfers t where ${where} and ${after} order by t.user_id, t.id limit ${BATCH}`
    yield rows.map((row) => ({
      ...row,
      lines: row.lines.map(([code, asset, pool, amount]) => ({ code, asset, pool, amount })),
    }))
    last = rows.length < BATCH ? undefined : rows.at(-1)
  } while (last)
}

/** Reads sealed events in batches. `where`: a condition on the event `e`. */
export async function* sealedEvents(tx: Queries, where: Fragment): AsyncGenerator<StoredEvent[]> {
  let last: string | undefined
  do {
    const after = last === undefined ? part`true` : part`e.id > ${last}`
    const rows: StoredEvent[] = await tx<StoredEvent[]>`
      select e.id, e.actor, e.action, e.subject, e.details, e.seal from audit_events e
       where ${where} and ${after} order by e.id limit ${BATCH}`
    yield rows
    last = rows.length < BATCH ? undefined : rows.at(-1)?.id
  } while (last !== undefined)
}

/** Refuses as 'payout-unproven' if a seal is broken. */
export async function readTransfersOf(
  { sql, seals }: Book,
  userId: string,
): Promise<PostedTransfer[]> {
  const found: StoredTransfer[] = []
  for await (const rows of sealedTransfers(sql, part`t.user_id = ${userId}`)) found.push(...rows)
  const broken = found.find((row) => !seals.fits(row.seal, 'transfer', contentOfTransfer(row)))
  if (broken)
    throw new Refusal('payout-unproven', {
      sentence: `This payout is not proven: the seal of the transfer ${broken.dedupKey} is broken.`,
    })
  return found.map(({ id, kind, dedupKey, lines }) => ({
    kind,
    dedupKey,
    postedAt: timeOfId(id),
    lines: lines.map(({ code, amount }) => ({ code, amount: BigInt(amount) })),
  }))
}

/** Audit events with valid seals about a subject, oldest first. */
export const readSealedEventsOf = (book: Book, subject: string): Promise<StoredEvent[]> =>
  readEvents(book, part`e.subject = ${subject}`)

async function readEvents({ sql, seals }: Book, where: Fragment): Promise<StoredEvent[]> {
  const found: StoredEvent[] = []
  for await (const rows of sealedEvents(sql, part`(${where})`))
    found.push(...rows.filter((row) => seals.fits(row.seal, 'audit event', contentOfEvent(row))))
  return found
}

/**
 * A withdrawal's audit events, its user's transfers, and the events that make the user's
 * withdrawals wait now. Refuses like `readTransfersOf`.
 */
export async function readPayoutEvidence(
  book: Book,
  { userId, id }: { userId: string; id: string },
): Promise<PayoutEvidence> {
  const events = await readEvents(
    book,
    part`
    e.subject = ${id}
    or e.actor = ${`user:${userId}`} and e.action in ('account.disown', 'password.reset')
    or e.subject = ${userId}
       and (e.action = 'user.release-holds' and e.details ->> 'result' = 'released'
            or e.action = 'withdrawals.hold'
               and (e.details ->> 'until')::timestamptz > now())`,
  )
  return { transfers: await readTransfersOf(book, userId), events }
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
