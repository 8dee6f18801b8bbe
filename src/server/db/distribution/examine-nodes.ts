import type { Queries } from '../statement.ts'

/** Minimum versions for a distributed database, with which the product was tested. */
const OLDEST_CITUS = 14
const OLDEST_POSTGRES = 160_000

type Node = {
  name: string
  version: string
  prepared: string
  connections: string
  logLevel: string
}

/**
 * The reasons why this database cannot be distributed, a sentence each; empty if there are none.
 */
export async function examineNodes(sql: Queries): Promise<string[]> {
  const [here] = await sql<{ version: number; citus: string | null }[]>`
    select current_setting('server_version_num')::integer as version, (select extversion
           from pg_extension where extname = 'citus') as citus`
  if (here === undefined || here.citus === null) {
    return [
      'This PostgreSQL has no Citus, so its tables cannot be distributed: one database runs ' +
        'the same product. To distribute it, install Citus on every node and run CREATE ' +
        'EXTENSION citus in this database.',
    ]
  }
  if (here.version < OLDEST_POSTGRES)
    return ['This PostgreSQL is older than version 16: please upgrade it.']
  if (Number.parseInt(here.citus, 10) < OLDEST_CITUS)
    return [`Citus ${here.citus} is older than version ${OLDEST_CITUS}: please upgrade it.`]
  const workers = await sql<
    { name: string }[]
  >`select nodename || ':' || nodeport as name from pg_dist_node where isactive
    and noderole = 'primary' and shouldhaveshards`
  if (workers.length === 0) return ['No node may hold shards: add the workers with citus_add_node.']
  return (await findSettings(sql)).flatMap(complaintsAbout)
}

async function findSettings(sql: Queries): Promise<Node[]> {
  const rows = await sql<{ name: string; settings: string }[]>`
    select n.nodename || ':' || n.nodeport as name, r.result as settings
      from run_command_on_all_nodes($$select current_setting('server_version_num') || ' ' ||
           current_setting('max_prepared_transactions') || ' '
                                          || current_setting('max_connections') || ' ' ||
                                          current_setting('wal_level')$$) r
      join pg_dist_node n on n.nodeid = r.nodeid`
  return rows.map(({ name, settings }) => {
    const [version = '', prepared = '', connections = '', logLevel = ''] = settings.split(' ')
    return { name, version, prepared, connections, logLevel }
  })
}

function complaintsAbout({ name, version, prepared, connections, logLevel }: Node): string[] {
  return [
    ...(Number(version) < OLDEST_POSTGRES ? [`The node ${name} is older than PostgreSQL 16.`] : []),
    ...(Number(prepared) < Number(connections)
      ? [
          `The node ${name} commits in two phases for fewer transactions than it has ` +
            `connections: set max_prepared_transactions to ${connections} at least.`,
        ]
      : []),
    ...(logLevel === 'logical'
      ? []
      : [
          `The node ${name} cannot give away a shard while it is in use: set wal_level to logical.`,
        ]),
  ]
}
