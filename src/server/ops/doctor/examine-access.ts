import { isSameBook } from '#server/db/check-book.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { TABLE_RIGHTS } from '#server/db/table-rights.ts'
import type { Settings } from '#server/settings/settings.ts'
import { missing, ok, reasonOf, wrong, type Verdict } from './finding.ts'

type Input = { settings: Settings; sql: Sql }

const ONE_CONNECTION = { poolSize: 1, applicationName: 'trading-bot doctor' }

export async function examinePooler({ settings, sql }: Input): Promise<Verdict | undefined> {
  const { DATABASE_URL: url, DATABASE_SESSION_URL: sessionUrl } = settings
  if (url === undefined || sessionUrl === undefined) return undefined
  try {
    const pooled = await openDatabase(url, { ...ONE_CONNECTION, sessionUrl })
    const isSame = await isSameBook(pooled, sql)
    await pooled.end({ timeout: 1 })
    return isSame
      ? ok(
          'requests go through DATABASE_URL, the engine, jobs and notifications through ' +
            'DATABASE_SESSION_URL',
        )
      : wrong('DATABASE_URL and DATABASE_SESSION_URL lead to different books')
  } catch (error) {
    return wrong(reasonOf(error))
  }
}

/** Wrong only in a live book, because on paper nothing can be stolen. */
export async function examineRole({ settings }: Input): Promise<Verdict> {
  const { BOOK, DATABASE_URL, DATABASE_SESSION_URL: url = DATABASE_URL } = settings
  if (url === undefined)
    return ok('the embedded database has a role for the app, which owns no table')
  const sql = await openDatabase(url, ONE_CONNECTION)
  try {
    const { role, powers } = await readPowers(sql)
    if (powers.length === 0) return ok('the app can neither change tables nor switch triggers off')
    return (BOOK === 'live' ? wrong : ok)(
      `the role ${role} in DATABASE_URL ${powers.join(', ')}: run CREATE ROLE ` +
        `trading_bot_app LOGIN PASSWORD '…', name it in DATABASE_URL and the tables' owner in ` +
        'DATABASE_OWNER_URL; the next start grants it what it needs',
    )
  } catch {
    return missing('what the role of DATABASE_URL may do cannot be read')
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function readPowers(sql: Queries): Promise<{ role: string; powers: string[] }> {
  const growing = Object.entries(TABLE_RIGHTS).flatMap(([table, rights]) =>
    rights.includes('update') || rights.includes('delete') ? [] : [table],
  )
  const [row] = await sql<{ role: string; powers: string[] }[]>`
    with tables as (
      select * from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')
    select current_user as role, array_remove(array[
           case when rolsuper then 'is a superuser' end,
           case when rolcreaterole or rolreplication then 'can create roles or replicate' end,
           case when exists (select from tables where pg_has_role(relowner, 'member'))
                then 'owns tables' end,
           case when has_parameter_privilege('session_replication_role', 'set')
                then 'can switch triggers off' end,
           case when exists (select from tables where has_table_privilege(oid, 'truncate, trigger'))
                then 'can truncate tables' end,
           case when has_schema_privilege('public', 'create')
                  or has_database_privilege(current_database(), 'create, temporary')
                then 'can create tables' end,
           (select 'can change rows of ' || string_agg(relname, ', ' order by relname) from tables
             where relname = any(${growing}) and has_table_privilege(oid, 'update, delete'))
           ], null) as powers
      from pg_roles where rolname = current_user`
  return row ?? { role: '', powers: [] }
}
