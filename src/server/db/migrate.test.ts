import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createTestBook,
  createTestDatabase,
  type TestDatabase,
} from '../../../test/world/database.ts'
import { StartupError } from '../kernel/errors.ts'
import { migrate } from './migrate.ts'

const MIGRATIONS = new URL('migrations', import.meta.url)

let folder: string
let database: TestDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  database = await createTestDatabase()
  await database.sql`drop table schema_migrations`
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

function write(name: string, text: string): Promise<void> {
  return writeFile(join(folder, name), text)
}

async function appliedNames(): Promise<string[]> {
  const rows = await database.sql<
    { name: string }[]
  >`select name from schema_migrations order by name`
  return rows.map(({ name }) => name)
}

test('files are applied in order, once', async () => {
  await write('0002-fill.sql', 'insert into boxes values (1); insert into boxes values (2);')
  await write('0001-boxes.sql', 'create table boxes (id int);')
  expect(await migrate(database.sql, folder)).toEqual(['0001-boxes.sql', '0002-fill.sql'])
  await write('0003-more.sql', 'insert into boxes values (3)')
  expect(await migrate(database.sql, folder)).toEqual(['0003-more.sql'])
  expect(await migrate(database.sql, folder)).toEqual([])
  expect(await database.sql`select id from boxes order by id`).toHaveLength(3)
})

test('several processes that start at once apply each file once', async () => {
  await write('0001-boxes.sql', 'create table boxes (id int); select pg_sleep(0.2);')
  await write('0002-fill.sql', 'insert into boxes values (1);')
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.sql, folder)))
  expect(applied.flat().sort()).toEqual(['0001-boxes.sql', '0002-fill.sql'])
})

test('a file that fails changes nothing, and the error names it', async () => {
  await write('0001-boxes.sql', 'create table boxes (id int);')
  await write('0002-broken.sql', 'insert into boxes values (1); insert into nowhere values (1);')
  await expect(migrate(database.sql, folder)).rejects.toThrow(
    'The migration 0002-broken.sql failed: relation "nowhere" does not exist.',
  )
  expect(await appliedNames()).toEqual(['0001-boxes.sql'])
  expect(await database.sql`select id from boxes`).toHaveLength(0)
})

test('an applied file that changed is refused', async () => {
  await write('0001-boxes.sql', 'create table boxes (id int);')
  await write('0002-fill.sql', 'insert into boxes values (1);')
  await migrate(database.sql, folder)
  await write('0002-fill.sql', 'insert into boxes values (2);')
  await expect(migrate(database.sql, folder)).rejects.toThrow(StartupError)
  await expect(migrate(database.sql, folder)).rejects.toThrow(
    'The migration 0002-fill.sql has changed since this database applied it: run the version ' +
      'that made it, or start with a new DATA_DIR.',
  )
})

test('a database newer than the code is refused', async () => {
  await write('0001-boxes.sql', 'create table boxes (id int);')
  await write('0002-fill.sql', 'insert into boxes values (1);')
  await migrate(database.sql, folder)
  await rm(join(folder, '0002-fill.sql'))
  await expect(migrate(database.sql, folder)).rejects.toThrow(
    'The database is newer than this code: it has 0002-fill.sql, which this code lacks.',
  )
})

test.each(['0001-people-and-ledger.sql', '0001-people.sql'])(
  'a database from before the first release, with %s, is refused and not changed',
  async (name) => {
    await write(name, 'create table boxes (id int);')
    await migrate(database.sql, folder)
    const refused = migrate(database.sql)
    await expect(refused).rejects.toThrow(StartupError)
    await expect(refused).rejects.toThrow(
      'This database was made by a version from before the first release, and this one cannot ' +
        'read it. Nothing in it was changed: run the version that made it, such as commit ' +
        'b0f1b721, or set DATA_DIR or DATABASE_URL to a new one.',
    )
    expect(await appliedNames()).toEqual([name])
  },
)

test('an existing book gets a later migration and keeps its rows', async () => {
  const book = await createTestBook()
  await cp(MIGRATIONS, folder, { recursive: true })
  await book.sql`insert into throttles (key, window_start, attempts) values ('ada', now(), 3)`
  await write('9999-later.sql', 'alter table throttles add column later text default $$new$$;')
  expect(await migrate(book.sql, folder)).toEqual(['9999-later.sql'])
  expect(await book.sql`select key, attempts, later from throttles`).toMatchObject([
    { key: 'ada', attempts: 3, later: 'new' },
  ])
  await book.drop()
})

test('a file numbered before an applied one is refused', async () => {
  await write('0001-boxes.sql', 'create table boxes (id int);')
  await write('0003-fill.sql', 'insert into boxes values (1);')
  await migrate(database.sql, folder)
  await write('0002-early.sql', 'select 1')
  await expect(migrate(database.sql, folder)).rejects.toThrow(
    'The migration 0002-early.sql was added before 0003-fill.sql, already applied.',
  )
})

test('two files with the same number are refused', async () => {
  await write('0001-boxes.sql', 'select 1')
  await write('0001-crates.sql', 'select 1')
  await expect(migrate(database.sql, folder)).rejects.toThrow(
    'The migration 0001-crates.sql is not named NNNN-name.sql with a number of its own.',
  )
})
