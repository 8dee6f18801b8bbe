import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import type { SealedEvent, SealedTransfer } from '#server/seal.ts'

/** Rows read at once. */
const BATCH = 1_000

export type StoredTransfer = SealedTransfer & { seal: string | null }
export type StoredEvent = SealedEvent & { seal: string | null }

type TransferRow = Omit<StoredTransfer, 'lines'> & {
  lines: [code: string, asset: string, pool: string, amount: string][]
}

/** Transfers with their entries, a batch at a time. `where` is a condition on the transfer `t`. */
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

/** Audit events, a batch at a time. `where` is a condition on the event `e`. */
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
