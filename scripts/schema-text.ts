import type { Sql } from '#server/db/open.ts'
import { part } from '#server/db/statement.ts'

const HEAD = [
  '-- The database as its migrations leave it, written by `npm run schema`. ',
  'src/server/db/migrations explains each column.\n',
  '-- Money is bigint units at scale 8. A table with user_id belongs to its users: it is keyed, ',
  'and ready to be distributed, by them.\n',
].join('')

/**
 * Everything that migrations define in a database, in an executable order: functions, tables in
 * order of creation, views.
 */
export async function schemaText(sql: Sql): Promise<string> {
  const functions = await sql<{ text: string }[]>`
    select trim(trailing e'\n' from pg_get_functiondef(oid)) || ';' as text from pg_proc
     where pronamespace = 'public'::regnamespace order by proname`
  const tables = await readTables(sql)
  const views = await sql<{ text: string }[]>`
    select 'create view ' || relname || ' as' || e'\n' || pg_get_viewdef(oid, true) as text
      from pg_class
     where relkind = 'v' and relnamespace = 'public'::regnamespace order by relname`
  const later = await readForeignKeys(sql, { targetIsLater: true })
  const alterations = later.map(({ table, text }) => `alter table ${table} add ${text};`)
  const parts = [
    ...functions.map(({ text }) => text),
    ...tables,
    ...alterations,
    ...views.map(({ text }) => text),
  ]
  return `${HEAD}\n${parts.join('\n\n')}\n`.replaceAll('public.', '')
}

async function readTables(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string; options: string | null }[]>`
    select relname as name, array_to_string(reloptions, ', ') as options
      from pg_class c where ${isTable} and relname <> 'schema_migrations' order by oid`
  const [columns, constraints, foreignKeys, after] = await Promise.all([
    readColumns(sql),
    readConstraints(sql),
    readForeignKeys(sql, { targetIsLater: false }),
    readAfter(sql),
  ])
  const of = (lines: readonly Line[], name: string) =>
    lines.filter(({ table }) => table === name).map(({ text }) => text)
  return tables.map(({ name, options }) => {
    const lines = [columns, constraints, foreignKeys]
      .flatMap((kind) => of(kind, name))
      .map((line) => `  ${line}`)
    const head = `create table ${name} (\n${lines.join(',\n')}\n)`
    return [`${head}${options ? ` with (${options})` : ''};`, ...of(after, name)].join('\n')
  })
}

const isTable = part`c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`

type Line = { table: string; text: string }

function readColumns(sql: Sql): Promise<Line[]> {
  return sql<Line[]>`
    select c.relname as table, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
             case when a.attcollation <> t.typcollation
             then 'collate ' || quote_ident(l.collname) end,
             case when a.attnotnull then 'not null' end,
             case when a.attidentity = 'a' then 'generated always as identity'
             when a.attgenerated = 's' then 'generated always as (' || d.text || ') stored'
                  when d.text is not null then 'default ' || d.text end) as text
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
      left join lateral (select pg_get_expr(adbin, adrelid) as text from pg_attrdef
           where adrelid = a.attrelid and adnum = a.attnum) d on true
     where ${isTable} and a.attnum > 0 and not a.attisdropped order by c.oid, a.attnum`
}

/** Keys, then unique constraints, then checks. */
function readConstraints(sql: Sql): Promise<Line[]> {
  return sql<Line[]>`
    select c.relname as table, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid,
           true) as text
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype in ('p', 'u', 'c') and ${isTable}
     order by c.oid, position(k.contype::text in 'puc'), k.conname`
}

function readForeignKeys(sql: Sql, { targetIsLater }: { targetIsLater: boolean }): Promise<Line[]> {
  return sql<Line[]>`
    select c.relname as table, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid,
           true) as text
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and ${isTable} and (k.confrelid > k.conrelid) = ${targetIsLater}
     order by c.oid, k.conname`
}

/** Indexes that belong to no constraint, then triggers. */
function readAfter(sql: Sql): Promise<Line[]> {
  return sql<Line[]>`
    select "table", text from (
      select x.indrelid as place, 1 as rank, i.relname as name, c.relname as table,
             pg_get_indexdef(i.oid) || ';' as text
        from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c
             on c.oid = x.indrelid
       where ${isTable} and not exists (select from pg_constraint k where k.conindid = i.oid
             and k.contype in ('p', 'u'))
      union all
      select t.tgrelid, 2, t.tgname, c.relname, pg_get_triggerdef(t.oid, true) || ';'
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not t.tgisinternal and ${isTable}) found
     order by place, rank, name`
}
