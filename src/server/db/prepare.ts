import pg from 'pg'
import { codeOf, StartupError } from '../kernel/errors.ts'
import { MIGRATION_LOCK, migrate } from './migrate.ts'
import { openDatabase, type Sql } from './open.ts'
import { TABLE_RIGHTS } from './table-rights.ts'

/**
 * The owner migrates, then grants the role of `sql` only what the code needs; without `ownerUrl`,
 * that role owns the tables.
 */
export async function prepareDatabase(sql: Sql, ownerUrl: string | undefined): Promise<void> {
  if (ownerUrl === undefined) {
    await migrate(sql).catch(async (error: unknown) => {
      if (!isDenied(error)) throw error
      const { role, database } = await whoIs(sql)
      throw new StartupError(
        `The role ${role} may not create or change tables of the database ${database}: name ` +
          'the role that owns them in DATABASE_OWNER_URL.',
        { cause: error },
      )
    })
    return
  }
  const owner = await openDatabase(ownerUrl, {
    poolSize: 1,
    applicationName: 'trading-bot owner',
    setting: 'DATABASE_OWNER_URL',
  })
  try {
    const [app, own] = await Promise.all([whoIs(sql), whoIs(owner)])
    if (app.database !== own.database)
      throw new StartupError(
        `DATABASE_OWNER_URL leads to the database ${own.database} and DATABASE_URL to ` +
          `${app.database}: both must lead to the same one.`,
      )
    if (app.role === own.role)
      throw new StartupError(
        `DATABASE_OWNER_URL and DATABASE_URL name the same role, ${app.role}: give the app a ` +
          'role of its own, or leave DATABASE_OWNER_URL out.',
      )
    await migrateAs(owner, own)
    await grantRights(owner, app.role)
  } finally {
    await owner.end({ timeout: 1 })
  }
}

async function migrateAs(owner: Sql, { role, database }: Who): Promise<void> {
  try {
    await migrate(owner)
  } catch (error) {
    if (!isDenied(error)) throw error
    throw new StartupError(
      `The role ${role} in DATABASE_OWNER_URL may not create or change tables of the database ` +
        `${database}: a superuser runs ALTER DATABASE ${database} OWNER TO ${role}, and makes ` +
        'it the owner of the tables if there are any.',
      { cause: error },
    )
  }
}

const PERMISSION_DENIED = '42501'
const isDenied = (error: unknown): boolean =>
  codeOf(error) === PERMISSION_DENIED ||
  (error instanceof StartupError && codeOf(error.cause) === PERMISSION_DENIED)

type Who = { role: string; database: string }

async function whoIs(sql: Sql): Promise<Who> {
  const [who] = await sql<Who[]>`select current_user as role, current_database() as database`
  return who ?? { role: '', database: '' }
}

/**
 * Gives `role` exactly the rights of `TABLE_RIGHTS`. Other processes see the rights before or
 * after, never none.
 */
export async function grantRights(owner: Sql, role: string): Promise<void> {
  const to = pg.escapeIdentifier(role)
  const { database } = await whoIs(owner)
  const grants = Object.entries(TABLE_RIGHTS).map(
    ([table, rights]) => `grant ${['select', ...rights].join(', ')} on ${table} to ${to}`,
  )
  await owner.begin('', async (tx) => {
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    await tx.unsafe(`
      revoke all on ${Object.keys(TABLE_RIGHTS).join(', ')} from public, ${to};
      ${grants.join(';\n')};
      grant usage on schema public to ${to};
      revoke create on schema public from public, ${to};
      revoke create, temporary on database ${pg.escapeIdentifier(database)} from public, ${to}`)
  })
}
