import { findForeignKeys, findUsersTables } from './users-tables.ts'
import type { Queries } from '../statement.ts'

/** `steps` run in this order. `lost`: foreign keys that lead to a table of the coordinator. */
export type DistributionPlan = { steps: Step[]; lost: string[] }
type Step = { what: string; statements: string[] }

/** Small tables with a copy on every node, because statements on users' rows read them. */
const COPIED = ['book', 'market_tickers', 'pools', 'strategy_exposures']

/** Distributes every table with users' rows by its user. The others stay on the coordinator. */
export async function planDistribution(
  sql: Queries,
  { shards }: { shards: number },
): Promise<DistributionPlan> {
  const tables = await findUsersTables(sql)
  const keys = await findForeignKeys(sql, { tables, copied: COPIED })
  const names = new Set(tables)
  const kept = keys.filter(({ target }) => names.has(target))
  const [first, ...others] = tables
  return {
    steps: [
      {
        what: 'foreign keys are dropped, because both of their tables must be distributed first',
        statements: keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
      },
      {
        what: `${COPIED.join(', ')} are copied to every node`,
        statements: COPIED.map((name) => `select create_reference_table('${name}')`),
      },
      {
        what: `${tables.length} tables are distributed by user into ${shards} shards`,
        statements: [
          `select create_distributed_table('${first}', 'id', colocate_with => 'none',
            shard_count => ${shards})`,
          ...others.map(
            (name) =>
              `select create_distributed_table('${name}', 'user_id', colocate_with => '${first}')`,
          ),
        ],
      },
      {
        what: `${kept.length} foreign keys are added again`,
        statements: kept.map(
          ({ table, name, definition }) =>
            `alter table ${table} add constraint ${name} ${definition}`,
        ),
      },
    ],
    lost: keys
      .filter(({ target }) => !names.has(target))
      .map(({ table, definition }) => `${table}: ${definition}`),
  }
}
