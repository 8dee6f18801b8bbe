import type { Sql } from '#server/db/open.ts'

/** Tables about money, its owners and its approvals. Throttle counters are not money. */
const TABLES = [
  'users',
  'ledger_accounts',
  'ledger_transfers',
  'ledger_entries',
  'payment_intents',
  'sandbox_payments',
  'bank_accounts',
  'withdrawal_requests',
  'transactions',
  'trading_bots',
  'sleeves',
  'sleeve_stays',
  'pools',
  'pool_changes',
  'cash_yields',
  'engine_blocks',
  'platform_fees',
  'idempotency_keys',
  'audit_events',
  'venue_orders',
  'payout_batches',
  'payout_batch_lines',
  'withdrawal_approvals',
] as const

/** Ignored rows: a refused call leaves a row in the audit trail, but moves nothing. */
const ROWS: Partial<Record<(typeof TABLES)[number], string>> = {
  audit_events: "(select * from audit_events where action <> 'call.refused')",
}

/** The number of rows of each table, and a hash of all their columns. */
export async function moneySnapshot(sql: Sql): Promise<Record<string, string>> {
  const statement = TABLES.map(
    (table) =>
      `select '${table}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0)
        as state from ${ROWS[table] ?? table} t`,
  )
  const rows = await sql.unsafe<{ name: string; state: string }[]>(statement.join(' union all '))
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}
