import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkBook } from '#server/db/check-book.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { grantRights, prepareDatabase } from '#server/db/prepare.ts'
import { TABLE_RIGHTS } from '#server/db/table-rights.ts'
import { codeOf } from '#server/kernel/errors.ts'
import { writeAudit } from '#server/security/audit.ts'
import { newId } from '#server/kernel/ids.ts'
import { APP_ROLE } from '#server/db/embedded/app-role.ts'
import { createTestDatabase, SECRET, type TestDatabase } from '../world/database.ts'

let database: TestDatabase
let app: Sql
beforeAll(async () => {
  database = await createTestDatabase()
  app = await openDatabase(database.appUrl)
  const book = await checkBook(app, { BOOK: 'paper', SESSION_SECRET: SECRET })
  await writeAudit(book, {
    id: newId(),
    actor: 'operator:ada',
    action: 'seen',
    subject: 'test',
    details: {},
  })
})
afterAll(async () => {
  await app.end()
  await database.drop()
})

const PERMISSION_DENIED = '42501'

/**
 * The code with which a statement is refused; undefined if it succeeds. The statement is always
 * rolled back.
 */
async function refusalOf(sql: Sql, text: string): Promise<string | undefined> {
  const undone = new Error('undone')
  try {
    await sql.begin('', async (tx) => {
      await tx.unsafe(text)
      throw undone
    })
  } catch (error) {
    return error === undone ? undefined : codeOf(error)
  }
  return undefined
}

/** The last column is the code for the owner: undefined, or a trigger's refusal. */
const STATEMENTS: [string, string, string | undefined][] = [
  ['drops a table', 'drop table push_subscriptions', undefined],
  ['switches triggers off', 'alter table ledger_entries disable trigger all', undefined],
  [
    'switches all triggers off for itself',
    'set local session_replication_role = replica',
    undefined,
  ],
  ['creates a table', 'create table loot (id int)', undefined],
  [
    'creates a table that hides another',
    'create temporary table ledger_accounts (id int)',
    undefined,
  ],
  ['creates a schema', 'create schema loot', undefined],
  [
    "replaces a trigger's function",
    'create or replace function ledger_refuse_change() returns trigger language plpgsql as $$ ' +
      'begin return new; end $$',
    undefined,
  ],
  ['empties a table', 'truncate throttles', undefined],
  ['changes an entry of the ledger', 'update ledger_entries set amount = amount + 1', '23000'],
  ['deletes an audit event', 'delete from audit_events', '23000'],
  ['changes what an audit event says', "update audit_events set action = 'nothing'", '23000'],
  ['deletes a transfer', 'delete from ledger_transfers', '23000'],
  ['deletes a seal', 'delete from book_seals', '23000'],
  ['rewrites the list of migrations', 'delete from schema_migrations', undefined],
  ['makes a user', 'create role thief login', undefined],
]

test.each(STATEMENTS)("the app's role is refused when it %s", async (_deed, text) => {
  expect(await refusalOf(app, text)).toBe(PERMISSION_DENIED)
})

test.each(STATEMENTS)(
  'the owner is not refused by rights when it %s',
  async (_deed, text, refusal) => {
    expect(await refusalOf(database.sql, text)).toBe(refusal)
  },
)

test('each table and view has its row of rights', async () => {
  const tables = await database.sql<
    { name: string }[]
  >`select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm')
    and relname !~ '_\\d{4}_\\d\\d$' and relnamespace = 'public'::regnamespace order by relname`
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLE_RIGHTS).toSorted())
})

test('append-only tables have no right to update or delete', async () => {
  const growing = await database.sql<{ name: string }[]>`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname like '%\_append\_only' order by 1`
  expect(growing.length).toBeGreaterThan(8)
  for (const { name } of growing) expect([name, TABLE_RIGHTS[name]]).toEqual([name, ['insert']])
})

test('every start revokes rights that the role got in between', async () => {
  await database.sql.unsafe(
    `grant update, truncate on ledger_entries to ${APP_ROLE}; grant delete
      on audit_events to public`,
  )
  expect(await refusalOf(app, 'truncate ledger_entries')).not.toBe(PERMISSION_DENIED)
  await prepareDatabase(app, database.url)
  for (const text of [
    'truncate ledger_entries',
    'update ledger_entries set amount = 0',
    'delete from audit_events',
  ]) {
    expect([text, await refusalOf(app, text)]).toEqual([text, PERMISSION_DENIED])
  }
})

test('processes that start at the same time grant rights one after the other', async () => {
  await Promise.all(Array.from({ length: 4 }, () => grantRights(database.sql, APP_ROLE)))
})

test('the owner and the app must be two roles of one database', async () => {
  await expect(prepareDatabase(database.sql, database.url)).rejects.toThrow(
    'DATABASE_OWNER_URL and DATABASE_URL name the same role, postgres',
  )
  const other = await createTestDatabase()
  try {
    await expect(prepareDatabase(app, other.url)).rejects.toThrow('both must lead to the same one')
  } finally {
    await other.drop()
  }
})
