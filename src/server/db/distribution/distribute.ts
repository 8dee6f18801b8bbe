import { readFile } from 'node:fs/promises'
import type { Queries } from '../statement.ts'
import { findUsersTables } from './users-tables.ts'
import type { DistributionPlan } from './plan.ts'

const SHARD_FUNCTIONS = new URL('shard-functions.sql', import.meta.url)

/** Disables triggers on all nodes, because they would treat the rows copied to shards as new. */
const COPYING =
  "set local citus.propagate_set_commands = 'local'; set local session_replication_role = 'replica'"

export async function distribute(tx: Queries, { steps }: DistributionPlan): Promise<void> {
  await allowTriggers(tx)
  await tx.unsafe(COPYING)
  for (const statement of steps.flatMap(({ statements }) => statements)) await tx.unsafe(statement)
  const all = await tx<{ name: string }[]>`
    select logicalrelid::text as name from pg_dist_partition where partmethod in ('h', 'n')
     order by 1`
  await dropLocalRows(
    tx,
    all.map(({ name }) => name),
  )
  await installShardFunctions(tx)
}

/**
 * Allows triggers in shards. Citus calls them unsafe because a shard lacks other users' rows, but
 * ours read only their own user's. Also limits a transaction to one connection per node, because
 * tables depend on each other.
 */
export async function allowTriggers(tx: Queries): Promise<void> {
  await tx.unsafe(
    "set local citus.multi_shard_modify_mode = 'sequential'; set local " +
      'citus.enable_unsafe_triggers = on',
  )
}

/**
 * Completes a migration of a distributed database: distributes new tables of users, and restores
 * the checks in the shards.
 */
export async function followMigration(tx: Queries): Promise<void> {
  const rows = await tx<
    { name: string }[]
  >`select logicalrelid::text as name from pg_dist_partition`
  const known = new Set(rows.map(({ name }) => name))
  await tx.unsafe(COPYING)
  const added = (await findUsersTables(tx)).filter((table) => !known.has(table))
  for (const name of added) {
    await tx.unsafe(
      `select create_distributed_table('${name}', 'user_id', colocate_with => 'users')`,
    )
  }
  await dropLocalRows(tx, added)
  await installShardFunctions(tx)
}

/** Deletes the invisible rows that a distributed table leaves in the coordinator's own table. */
async function dropLocalRows(tx: Queries, names: readonly string[]): Promise<void> {
  await tx.unsafe("set local citus.propagate_set_commands = 'none'")
  for (const name of names)
    await tx`select truncate_local_data_after_distributing_table(${name}::text::regclass)`
}

async function installShardFunctions(tx: Queries): Promise<void> {
  await tx.unsafe(await readFile(SHARD_FUNCTIONS, 'utf8'))
}
