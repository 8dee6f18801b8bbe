import type { Sql } from '#server/db/open.ts'
import { columnsOf } from '#server/ops/backup/manifest.ts'
import { pastRules } from './past-rules.ts'

/** Every table that reconcile reads. */
export const KEPT_TABLES = [
  'users',
  'usernames',
  'emails',
  'connected_wallets',
  'crypto_wallets',
  'venue_orders',
  'ledger_accounts',
  'ledger_transfers',
  'ledger_entries',
  'payment_intents',
  'withdrawal_requests',
  'payout_references',
  'payout_batches',
  'payout_batch_lines',
  'transactions',
  'trading_bots',
  'sleeves',
  'sleeve_stays',
  'pools',
  'pool_changes',
  'cash_yields',
  'engine_blocks',
  'platform_fees',
  'bot_plan_runs',
] as const

/** A book that tests can damage and restore. */
export type KeptBook = {
  /**
   * Runs the statement with all triggers off, as a superuser could, and returns the `subject`
   * column of its result.
   */
  damage: (statement: string) => Promise<string[]>
  mend: () => Promise<void>
}

const OVERDRAFT = 'ledger_accounts_no_overdraft'

export async function keepBook(sql: Sql): Promise<KeptBook> {
  const columns = new Map<string, string[]>()
  await sql`create schema kept`
  for (const table of KEPT_TABLES) {
    await sql`create table ${sql(`kept.${table}`)} as table ${sql(table)}`
    columns.set(table, await columnsOf(sql, table))
  }
  return {
    damage: async (statement) => {
      await sql.unsafe(`alter table ledger_accounts drop constraint ${OVERDRAFT}`)
      return pastRules(sql, async (tx) =>
        (await tx.unsafe<{ subject: string }[]>(statement)).map(({ subject }) => subject),
      )
    },
    mend: () =>
      pastRules(sql, async (tx) => {
        for (const table of KEPT_TABLES) {
          await tx`delete from ${tx(table)}`
          const names = tx(columns.get(table) ?? [])
          await tx`insert into ${tx(table)} (${names}) overriding system value select ${names}
            from ${tx(`kept.${table}`)}`
        }
        await tx.unsafe(`alter table ledger_accounts drop constraint if exists ${OVERDRAFT}`)
        await tx.unsafe(
          `alter table ledger_accounts add constraint ${OVERDRAFT} check (may_be_negative
            or balance >= 0)`,
        )
      }),
  }
}
