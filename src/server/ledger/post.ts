import { createHash } from 'node:crypto'
import { assert } from '#core/assert.ts'
import type { Movement } from '#core/ledger/transfer.ts'
import { Refusal } from '#core/refusal.ts'
import type { Queries } from '#server/db/open.ts'

/** A movement made a fact: `dedupKey` names the occasion, so that the same occasion is never booked twice. */
export type Transfer = {
  id: string
  dedupKey: string
  movement: Movement
  /** Whose history tells of it; undefined where no single user is concerned. */
  userId?: string
  /** Market time of the event. */
  eventTime: Date
}

/**
 * The one writer of the ledger. Posts inside the caller's database transaction; 'already-posted' where the occasion was booked before
 * with the same entries. Refuses as 'insufficient-balance' where an account would fall below zero; the database decides, not this code.
 */
export async function post(tx: Queries, transfer: Transfer): Promise<'posted' | 'already-posted'> {
  const { kind, entries } = transfer.movement
  assert(entries.length >= 2, `${kind} moves nothing`)
  const lines = entries.map(({ account, amount }) => [account.code, 'owner' in account ? account.owner : '', account.asset, amount.toString()])
  const bodyHash = createHash('sha256').update(JSON.stringify([kind, lines])).digest('hex')
  const column = (index: number) => lines.map((line) => line[index] ?? '')
  const written = await insert(tx, transfer, { bodyHash, codes: column(0), owners: column(1), assets: column(2), amounts: column(3) })
  if (written === entries.length) return 'posted'
  assert(written === 0, `${kind} names an account that does not exist`)
  const [earlier] = await tx<{ bodyHash: string }[]>`select body_hash from ledger_transfers where dedup_key = ${transfer.dedupKey}`
  assert(earlier?.bodyHash === bodyHash, `${transfer.dedupKey} was booked before with other entries`)
  return 'already-posted'
}

type Columns = { bodyHash: string; codes: string[]; owners: string[]; assets: string[]; amounts: string[] }

async function insert(tx: Queries, transfer: Transfer, { bodyHash, codes, owners, assets, amounts }: Columns): Promise<number> {
  try {
    const result = await tx`
      with transfer as (
        insert into ledger_transfers (id, kind, dedup_key, body_hash, user_id, event_time)
        values (${transfer.id}, ${transfer.movement.kind}, ${transfer.dedupKey}, ${bodyHash}, ${transfer.userId ?? null}, ${transfer.eventTime})
        on conflict on constraint ledger_transfers_dedup do nothing
        returning id)
      insert into ledger_entries (transfer_id, account_id, asset, amount)
      select transfer.id, account.id, account.asset, sum(line.amount)::bigint
        from transfer, unnest(${codes}::text[], ${owners}::text[], ${assets}::text[], ${amounts}::bigint[]) as line (code, owner, asset, amount)
        join lateral (
          select id, asset from ledger_accounts where code = line.code and asset = line.asset and owner = nullif(line.owner, '')::uuid
          union all
          select id, asset from ledger_accounts where code = line.code and asset = line.asset and owner is null and line.owner = '') account on true
       group by transfer.id, account.id, account.asset`
    return result.count
  } catch (error) {
    if (violates(error, 'ledger_accounts_no_overdraft')) throw new Refusal('insufficient-balance')
    throw error
  }
}

/** Whether the database refused because of this constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint_name' in error && error.constraint_name === constraint
}
