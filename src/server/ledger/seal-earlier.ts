import { required } from '#core/assert.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Sql, Transaction } from '#server/db/open.ts'
import { part } from '#server/db/statement.ts'
import { contentOfEvent, contentOfTransfer, type Seals } from '#server/seal.ts'
import { sealedEvents, sealedTransfers } from './sealed-rows.ts'

/**
 * Seals the rows of a paper book that was made before rows had seals, as they stand. A live book
 * never does this: there, a row without a seal is broken.
 */
export async function sealEarlierRows(sql: Sql): Promise<void> {
  const seals = required(sql.seals, 'the book is open')
  if (seals.book.kind !== 'paper') return
  await atomically(sql, async (tx) => {
    for await (const rows of sealedTransfers(tx, part`t.seal is null`))
      await sealTransfers(tx, seals, rows)
    for await (const rows of sealedEvents(tx, part`e.seal is null`)) {
      const made = rows.map((row) => seals.sealOf('audit event', contentOfEvent(row)))
      await tx`
        update audit_events e set seal = made.seal
          from unnest(${rows.map(({ id }) => id)}::uuid[], ${made}::text[]) as made (id, seal)
         where e.id = made.id and e.seal is null`
    }
  })
}

type Rows = Parameters<typeof contentOfTransfer>[0][]

async function sealTransfers(tx: Transaction, seals: Seals, rows: Rows): Promise<void> {
  const made = rows.map((row) => seals.sealOf('transfer', contentOfTransfer(row)))
  await tx`
    update ledger_transfers t set seal = made.seal
      from unnest(${rows.map(({ userId }) => userId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
           ${made}::text[]) as made (user_id, id, seal)
     where t.user_id = made.user_id and t.id = made.id and t.seal is null`
}
