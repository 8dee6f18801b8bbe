import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '#server/context.ts'
import type { OpenBook } from '#server/db/book.ts'
import { sealNow } from '#server/ledger/guard-seals.ts'
import type { Queries } from '#server/db/statement.ts'

/**
 * Covers every row with one seal. Waits for other tests' transactions in the same PostgreSQL,
 * because rows written after the oldest of them would be left out.
 */
export async function sealAll(
  context: OpenBook & Pick<Context, 'config' | 'log' | 'now'>,
): Promise<void> {
  while ((await uncovered(context.sql)) > 0) {
    if (await hasWaited(context.sql)) await sealNow(context)
    else await delay(20)
  }
}

/** Whether every row is older than all transactions under way. */
async function hasWaited(sql: Queries): Promise<boolean> {
  const [row] = await sql<{ isOlder: boolean }[]>`
    select max(written_in) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint as is_older
      from (select written_in from ledger_transfers
            union all
            select written_in from audit_events) rows`
  return row?.isOlder ?? true
}

/** The number of rows that no seal of the book covers yet. */
export async function uncovered(sql: Queries): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with covered as (select coalesce(max(until_transaction), 0) as until from book_seals)
    select ((select count(*) from ledger_transfers, covered where written_in >= until)
           + (select count(*) from audit_events, covered where written_in >= until))::integer
           as count`
  return row?.count ?? 0
}
