import { HOUSE } from '#core/ledger/account.ts'
import { required } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import type { Queries } from '#server/db/statement.ts'

/** Interest that the house has paid on idle cash, and what it has received for it. */
export async function readInterest(sql: Queries): Promise<{ paid: Units; received: Units }> {
  const [row] = await sql<{ paid: Units; received: Units }[]>`
    select coalesce(-sum(least(e.amount, 0)), 0)::bigint as paid,
           coalesce(sum(greatest(e.amount, 0)), 0)::bigint as received
      from ledger_accounts a
      join ledger_entries e on e.user_id = a.user_id and e.account_id = a.id
     where a.user_id = ${HOUSE} and a.code = 'interest'`
  return required(row, 'sums have a row')
}
