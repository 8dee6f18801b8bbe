import type { Queries } from '#server/db/statement.ts'
import { openDatabase } from '#server/db/open.ts'
import { TABLE_RIGHTS } from '#server/db/table-rights.ts'
import type { Settings } from '#server/settings/settings.ts'
import { missing, ok, wrong, type Finding } from './finding.ts'

type Powers = {
  role: string
  isSuperuser: boolean
  makesRoles: boolean
  owns: boolean
  switchesTriggers: boolean
  truncates: boolean
  creates: boolean
}

/** Wrong in a live book only: on paper nothing can be stolen. */
export async function examineRole({
  BOOK,
  DATABASE_URL,
  DATABASE_SESSION_URL: url = DATABASE_URL,
}: Settings): Promise<Finding> {
  if (url === undefined)
    return ok('database role', 'the embedded database has a role for the app, which owns no table')
  const sql = await openDatabase(url, { poolSize: 1, applicationName: 'trading-bot doctor' })
  try {
    const fault = await faultOf(sql)
    if (fault === undefined)
      return ok('database role', 'the app can neither change tables nor switch triggers off')
    return BOOK === 'live' ? wrong('database role', fault) : ok('database role', fault)
  } catch {
    return missing('database role', 'what the role of DATABASE_URL may do cannot be read')
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function faultOf(sql: Queries): Promise<string | undefined> {
  const [powers] = await sql<Powers[]>`
    select current_user as role, rolsuper as is_superuser, rolcreaterole
        or rolreplication as makes_roles,
           exists (select 1 from pg_class where relnamespace = 'public'::regnamespace
           and relkind = 'r' and pg_has_role(relowner, 'member')) as owns,
           has_parameter_privilege('session_replication_role', 'set') as switches_triggers,
           exists (select 1 from pg_class where relnamespace = 'public'::regnamespace
           and relkind = 'r' and has_table_privilege(oid, 'truncate, trigger'))
           as truncates,
           has_schema_privilege('public', 'create')
           or has_database_privilege(current_database(), 'create, temporary') as creates
      from pg_roles where rolname = current_user`
  if (powers === undefined) return undefined
  const can = [
    powers.isSuperuser && 'is a superuser',
    powers.makesRoles && 'can create roles or replicate',
    powers.owns && 'owns tables',
    powers.switchesTriggers && 'can switch triggers off',
    powers.truncates && 'can truncate tables',
    powers.creates && 'can create tables',
    ...(await excessOf(sql)),
  ].filter((part) => part !== false)
  if (can.length === 0) return undefined
  return (
    `the role ${powers.role} in DATABASE_URL ${can.join(', ')}: run CREATE ROLE ` +
    `trading_bot_app LOGIN PASSWORD '…', name it in DATABASE_URL and the tables' owner in ` +
    'DATABASE_OWNER_URL; the next start grants it what it needs'
  )
}

/** Tables that only grow, but not for this role. */
async function excessOf(sql: Queries): Promise<string[]> {
  const growing = Object.entries(TABLE_RIGHTS).flatMap(([table, rights]) =>
    rights.includes('update') || rights.includes('delete') ? [] : [table],
  )
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relname = any(${growing})
       and has_table_privilege(oid, 'update, delete') order by relname`
  return tables.length === 0
    ? []
    : [`can change rows of ${tables.map(({ name }) => name).join(', ')}`]
}
