import {
  archivedRowsOf,
  findArchivedMonths,
  type Manifest,
} from '#server/archive/archived-months.ts'
import type { ArchivedRow } from '#server/db/archive.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { timeOfId } from '#server/ids.ts'
import type { SealedEvent, SealedTransfer } from '#server/seal.ts'

/** Rows read at once. */
const BATCH = 1_000

export type StoredTransfer = SealedTransfer & { seal: string | null }
export type StoredEvent = SealedEvent & { seal: string | null }

type TransferRow = Omit<StoredTransfer, 'lines'> & {
  lines: [code: string, asset: string, pool: string, amount: string][]
}

/**
 * Transfers with their entries, a batch at a time; those of months that have left are read from
 * their files. `where` is a condition on the transfer `t`.
 */
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
    const archived = await archivedLinesOf(
      tx,
      rows.filter(({ lines }) => lines.length === 0),
    )
    yield rows.map((row) => ({
      ...row,
      lines:
        archived.get(row.id) ??
        row.lines.map(([code, asset, pool, amount]) => ({ code, asset, pool, amount })),
    }))
    last = rows.length < BATCH ? undefined : rows.at(-1)
  } while (last)
}

type Lines = SealedTransfer['lines'][number][]

/**
 * The entries of transfers whose months have left, by transfer. The transfers are in the order of
 * their users.
 */
async function archivedLinesOf(
  tx: Queries,
  transfers: readonly TransferRow[],
): Promise<Map<string, Lines>> {
  const [first, last] = [transfers[0], transfers.at(-1)]
  const found = new Map<string, Lines>()
  if (first === undefined || last === undefined) return found
  const wanted = new Map(transfers.map(({ id }) => [id, monthOfId(id)]))
  const months = (await findArchivedMonths(tx)).filter(({ month }) =>
    [...wanted.values()].includes(month),
  )
  if (months.length === 0) return found
  // Of one user, such as the house, only these transfers; of several, all of each.
  const span = {
    from: first.userId,
    to: last.userId,
    ...(first.userId === last.userId && { ids: { from: first.id, to: last.id } }),
  }
  // The manifest's own seal is not asked here: each transfer has one, which no other rows fit.
  const manifests = months.map(({ manifest }) => JSON.parse(manifest) as Manifest)
  const rows = (
    await archivedRowsOf(tx, { table: 'ledger_entries', span, months: manifests })
  ).filter(({ transfer_id: id }) => wanted.has(id ?? ''))
  const accounts = await findAccounts(tx, rows)
  for (const { transfer_id: id, account_id: accountId, asset, amount } of rows) {
    const account = accounts.get(accountId ?? '')
    found.set(id ?? '', [
      ...(found.get(id ?? '') ?? []),
      {
        code: account?.code ?? '',
        asset: asset ?? '',
        pool: account?.pool ?? '',
        amount: amount ?? '',
      },
    ])
  }
  return found
}

const monthOfId = (id: string): string => timeOfId(id).toISOString().slice(0, 7)

/** Accounts by id, which is an identity of the table's and so of one user alone. */
async function findAccounts(
  tx: Queries,
  rows: readonly ArchivedRow[],
): Promise<Map<string, { code: string; pool: string }>> {
  const ids = [...new Set(rows.map(({ account_id: id }) => id ?? ''))]
  const users = [...new Set(rows.map(({ user_id: id }) => id ?? ''))]
  const accounts = await tx<{ id: string; code: string; pool: string }[]>`
    select id::text, code, coalesce(pool::text, '') as pool from ledger_accounts
     where user_id = any(${users}::uuid[]) and id = any(${ids}::text[]::bigint[])`
  return new Map(accounts.map(({ id, ...account }) => [id, account]))
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
