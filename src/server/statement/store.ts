import type { MoneyMove } from '#core/statement/books.ts'
import type { Queries } from '#server/db/statement.ts'

/** Transfers of a user that changed the cash or paid our fee, oldest first, in portions. */
export async function* streamMoney(sql: Queries, userId: string): AsyncGenerator<MoneyMove[]> {
  for (let after: string | null = null; ;) {
    const rows: MoneyMove[] = await sql<MoneyMove[]>`
      select t.id::text, t.kind, t.event_time,
             coalesce(sum(e.amount) filter (where a.code <> 'fees:income'), 0)::bigint as cash,
             coalesce(sum(e.amount) filter (where a.code = 'fees:income'), 0)::bigint as fee
        from ledger_transfers t
        join ledger_entries e on e.user_id = t.user_id and e.transfer_id = t.id
        join ledger_accounts a on a.user_id = e.user_id and a.id = e.account_id
         and a.code in ('customer:cash', 'customer:hold', 'fees:income')
       where t.user_id = ${userId} and (${after}::uuid is null or t.id > ${after}::uuid)
       group by t.id, t.kind, t.event_time order by t.id limit 500`
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.id ?? null
  }
}
