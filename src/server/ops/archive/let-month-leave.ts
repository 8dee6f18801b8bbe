import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '#core/refusal.ts'
import {
  hashOfCarried,
  type SealedManifest,
  type Manifest,
} from '#server/archive/archived-months.ts'
import { ARCHIVED_NAMES } from '#server/archive/tables.ts'
import { codeOf } from '#server/code-of.ts'
import type { ArchivedTable } from '#server/db/archive.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { findPartition } from './rows-of-month.ts'

/**
 * Carries the sums of a month forward, records its files and drops its partitions, in one database
 * transaction: a crash leaves either the partitions or the record. Refuses if the partitions are no
 * longer what the files were written from.
 */
export async function letMonthLeave(
  sql: Sql,
  { month, manifest, seal }: SealedManifest,
): Promise<void> {
  const first = `${month}-01`
  const written = JSON.parse(manifest) as Manifest
  await atomically(sql, async (tx) => {
    await tx`set local lock_timeout = '5s'`
    // Nobody makes or archives a month meanwhile.
    await tx`select pg_advisory_xact_lock(7205331144)`
    const partitions = new Map<ArchivedTable, string>()
    for (const table of ARCHIVED_NAMES) {
      const partition = await lockPartition(tx, { table, month })
      if (partition !== undefined) partitions.set(table, partition)
    }
    await tx`insert into archived_months (month, first_id, end_id, manifest, seal)
             select month, month_id(month), month_id((month + interval '1 month')::date),
                    ${manifest}, ${seal} from (select ${first}::date as month) of_month`
    for (const [table, partition] of partitions)
      await tx`${CARRY[table]({ partition: part`${tx(partition)}`, first })}`
    if ((await hashOfCarried(tx, written)) !== written.carried) {
      throw new Refusal('invalid-input', {
        sentence:
          `Rows of ${month} were written while its files were: run the command again. Nothing ` +
          'has left the database.',
      })
    }
    await lockTables(tx)
    for (const [table, partition] of partitions) {
      await tx`alter table ${tx(table)} detach partition ${tx(partition)}`
      await tx`drop table ${tx(partition)}`
    }
  })
}

/**
 * The statements that carry the sums of a partition forward: the same sums that `ARCHIVED_TABLES`
 * takes of its file.
 */
const CARRY: Readonly<
  Record<ArchivedTable, (of: { partition: Fragment; first: string }) => Fragment>
> = {
  ledger_entries: ({ partition, first }) => part`
    insert into archived_entries (user_id, account_id, month, entries, given, taken)
    select user_id, account_id, ${first}::date, count(*), sum(greatest(amount, 0)),
           sum(least(amount, 0)) from ${partition} group by user_id, account_id`,
  platform_fees: ({ partition, first }) => part`
    insert into archived_fees (user_id, bot_id, month, fees, fee_amount)
    select user_id, bot_id, ${first}::date, count(*), sum(fee_amount) from ${partition}
     group by user_id, bot_id`,
  sleeve_stays: ({ partition, first }) => part`
    insert into archived_stays (user_id, bot_id, month, stays, paid, cash_out)
    select user_id, bot_id, ${first}::date, count(*), sum(paid), sum(cash_out) from ${partition}
     group by user_id, bot_id`,
}

/** Nobody writes the rows of the month meanwhile; all may read them. */
async function lockPartition(
  tx: Queries,
  which: Parameters<typeof findPartition>[1],
): Promise<string | undefined> {
  const partition = await findPartition(tx, which)
  if (partition !== undefined) await tx`lock table ${tx(partition)} in share mode`
  return partition
}

const LOCK_NOT_AVAILABLE = '55P03'
const TRIES_MS = 60_000
const PAUSE_MS = 300

/**
 * Takes the tables of months, and those that their foreign keys lead to, for as long as it takes to
 * drop the partitions. Requests wait behind us for as long as we wait, and one that holds some of
 * the tables may want others: so each try is shorter than the time after which PostgreSQL looks for
 * deadlocks, and lets go of everything. Rejects with 55P03 if no try of a minute succeeds.
 */
async function lockTables(tx: Queries): Promise<void> {
  await tx`set local lock_timeout = '200ms'`
  for (const beganMs = Date.now(); ;) {
    await tx`savepoint before_locks`
    try {
      await tx`lock table only sleeve_stays, trading_bots, pool_changes, ledger_accounts,
        ledger_transfers, ledger_entries, platform_fees in access exclusive mode`
      return
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || Date.now() - beganMs > TRIES_MS) throw error
      await tx`rollback to savepoint before_locks`
    }
    await delay(PAUSE_MS)
  }
}
