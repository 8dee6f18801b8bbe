import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '#server/context.ts'
import type { OpenBook } from '#server/db/book.ts'
import { sealNow } from '#server/ledger/guard-seals.ts'
import type { Queries } from '#server/db/statement.ts'

/**
 * Seals until every row is covered. Other tests' transactions in the same PostgreSQL delay that,
 * although they are in other databases.
 */
export async function sealAll(
  context: OpenBook & Pick<Context, 'config' | 'log' | 'now'>,
): Promise<void> {
  for (;;) {
    await sealNow(context)
    if ((await uncovered(context.sql)) === 0) return
    await delay(20)
  }
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
