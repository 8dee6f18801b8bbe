import { auditCommand } from '#server/security/audit.ts'
import { atomically } from '#server/db/atomically.ts'
import { distribute } from '#server/db/distribution/distribute.ts'
import { examineNodes } from '#server/db/distribution/examine-nodes.ts'
import { isDistributed } from '#server/db/distribution/users-tables.ts'
import { planDistribution, type DistributionPlan } from '#server/db/distribution/plan.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { differs } from './reconcile-command.ts'
import { done, refusal, type UnattendedCommand } from './command.ts'
import { misused } from './usage.ts'

const SHARDS = 32
const MOST_SHARDS = 1_024

/**
 * Distributes the users' tables over the nodes of a Citus cluster. Without --yes it prints what it
 * would do.
 */
export const distributeCommand: UnattendedCommand = async (context, words) => {
  const { sql } = context
  const { shards, isMeant } = readWords(words)
  const complaints = await examineNodes(sql)
  if (complaints.length > 0) throw refusal(complaints.join('\n'))
  if (await isDistributed(sql))
    throw refusal(
      'This database is distributed already. To add a node, use citus_add_node and ' +
        'citus_rebalance_start.',
    )
  const plan = await planDistribution(sql, { shards })
  if (!isMeant)
    return done(
      ...linesOf(plan),
      'Nothing was changed. Stop all processes of the product, then run this again with --yes.',
    )
  const others = await sql`select from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and application_name like 'trading-bot%'
      and application_name <> 'trading-bot ops'`
  if (others.length > 0)
    throw refusal('Other processes of the product use this database: stop them first.')
  await atomically(sql, (tx) => distribute(tx, plan))
  await auditCommand(context, {
    action: 'distribute',
    subject: 'book',
    details: { shards: String(shards) },
  })
  const differences = await reconcile(context)
  return {
    lines: ['Distributed. Start the processes again.', ...differences.map(differs)],
    ok: differences.length === 0,
  }
}

function readWords(words: readonly string[]): { shards: number; isMeant: boolean } {
  const rest = words.filter((word) => word !== '--yes')
  const isMeant = rest.length < words.length
  if (rest.length === 0) return { shards: SHARDS, isMeant }
  const [flag, number = '', ...more] = rest
  const shards = Number(number)
  if (
    flag !== '--shards' ||
    !/^\d+$/.test(number) ||
    shards < 1 ||
    shards > MOST_SHARDS ||
    more.length > 0
  )
    throw misused('distribute')
  return { shards, isMeant }
}

function linesOf({ steps, lost }: DistributionPlan): string[] {
  return [
    ...steps.flatMap(({ what, statements }) => [
      `-- ${what}`,
      ...statements.map((statement) => `${statement};`),
    ]),
    '-- Triggers check every shard from then on, as they check the tables today.',
    ...lost.map(
      (key) =>
        '-- The database no longer checks this key, which leads to a table of the ' +
        `coordinator: ${key}`,
    ),
    '-- The way back: npm run ops -- backup FILE here, then npm run ops -- restore FILE into ' +
      'an empty PostgreSQL.',
  ]
}
