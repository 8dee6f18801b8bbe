import type { Sql } from '#server/db/open.ts'

/** Tables that tell of money, of who owns it and of who may ask for it. What a throttle counts is not money. */
const TABLES = [
  'users', 'ledger_accounts', 'ledger_transfers', 'ledger_entries', 'payment_intents', 'sandbox_payments', 'bank_accounts', 'withdrawal_requests',
  'transactions', 'trading_bots', 'sleeves', 'sleeve_stays', 'pools', 'pool_changes', 'engine_blocks', 'platform_fees', 'idempotency_keys', 'audit_events',
  'venue_orders', 'payout_batches', 'payout_batch_lines', 'withdrawal_approvals',
] as const

/** How many rows each table has, and one figure that changes with any of their columns. */
export async function moneySnapshot(sql: Sql): Promise<Record<string, string>> {
  const statement = TABLES.map((table) => `select '${table}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as state from ${table} t`)
  const rows = await sql.unsafe<{ name: string; state: string }[]>(statement.join(' union all '))
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}
