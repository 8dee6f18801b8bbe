import type { ArchivedTable } from '#server/db/archive.ts'

/**
 * `key`: the column whose month a row belongs to. `sum`: of what sums are carried forward, and
 * `sums` the figures. `columns`: those of the file, with their types there.
 */
type TableInFile = {
  key: string
  order: readonly string[]
  sum: string
  sums: string
  columns: Readonly<Record<string, string>>
}

/** How the rows of each table lie in its file. */
export const ARCHIVED_TABLES: Readonly<Record<ArchivedTable, TableInFile>> = {
  ledger_entries: {
    key: 'transfer_id',
    order: ['user_id', 'transfer_id', 'account_id'],
    sum: 'user_id, account_id',
    sums: 'count(*), sum(greatest(amount, 0)), sum(least(amount, 0))',
    columns: {
      user_id: 'uuid',
      transfer_id: 'uuid',
      account_id: 'bigint',
      asset: 'varchar',
      amount: 'bigint',
    },
  },
  platform_fees: {
    key: 'id',
    order: ['user_id', 'bot_id', 'id'],
    sum: 'user_id, bot_id',
    sums: 'count(*), sum(fee_amount)',
    columns: {
      user_id: 'uuid',
      bot_id: 'uuid',
      id: 'uuid',
      user_profit: 'bigint',
      fee_amount: 'bigint',
      fee_bps: 'integer',
      trade: 'uuid',
      created_at: 'varchar',
    },
  },
  sleeve_stays: {
    key: 'ended',
    order: ['user_id', 'bot_id', 'pool', 'joined', 'ended'],
    sum: 'user_id, bot_id',
    sums: 'count(*), sum(paid), sum(cash_out)',
    columns: {
      user_id: 'uuid',
      bot_id: 'uuid',
      pool: 'smallint',
      joined: 'bigint',
      began: 'uuid',
      ended: 'uuid',
      left_with: 'bigint',
      units: 'decimal(38, 0)',
      offered: 'bigint',
      redeemed: 'decimal(38, 0)',
      paid: 'bigint',
      paid_base: 'bigint',
      cash_out: 'bigint',
      base_out: 'bigint',
    },
  },
}

/** In the order in which their files are named. */
export const ARCHIVED_NAMES = Object.keys(ARCHIVED_TABLES) as ArchivedTable[]
