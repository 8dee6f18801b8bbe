import type { Queries } from '../statement.ts'

/**
 * Tables whose primary key starts with `user_id`, and `users` itself, which comes first. Leaves out
 * shards, whose names end with a number.
 */
export async function findUsersTables(sql: Queries): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name
      from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary join pg_attribute a
           on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relnamespace = 'public'::regnamespace
       and c.relname !~ '_[0-9]+$' and (a.attname = 'user_id' or c.relname = 'users')
     order by c.relname <> 'users', c.relname`
  return rows.map(({ name }) => name)
}

type ForeignKey = { table: string; name: string; definition: string; target: string }

export async function findForeignKeys(
  sql: Queries,
  { tables, copied }: { tables: readonly string[]; copied: readonly string[] },
): Promise<ForeignKey[]> {
  return [
    ...(await sql<ForeignKey[]>`
    select t.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition,
           o.relname as target
      from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class o
           on o.oid = k.confrelid
     where k.contype = 'f' and t.relnamespace = 'public'::regnamespace
       and (t.relname = any(${[...tables]}) or o.relname = any(${[...copied]}))
     order by t.relname, k.conname`),
  ]
}

/** Whether the tables of users are distributed over the nodes of a Citus cluster. */
export async function isDistributed(sql: Queries): Promise<boolean> {
  const [citus] = await sql<
    { isThere: boolean }[]
  >`select to_regclass('pg_dist_partition') is not null
    and to_regclass('users') is not null as is_there`
  if (citus?.isThere !== true) return false
  const rows = await sql`select from pg_dist_partition where logicalrelid = 'users'::regclass`
  return rows.count > 0
}
