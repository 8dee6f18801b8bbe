import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { StartupError } from '../startup-error.ts'
import { migrate } from './migrate.ts'
import { pattern } from '../../../test/pattern.ts'

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

test('a file that fails leaves nothing of itself and names itself', async () => {
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
  await migrate(database.sql, folder)
  await write('0001-boxes.sql', 'create table boxes (id bigint);')
  await expect(migrate(database.sql, folder)).rejects.toThrow(StartupError)
  await expect(migrate(database.sql, folder)).rejects.toThrow(
    'The migration 0001-boxes.sql has changed since this database applied it: run the version ' +
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

test('a database of the first version is refused with a remedy, and stays unchanged', async () => {
  await write('0001-people-and-ledger.sql', 'create table boxes (id int);')
  await migrate(database.sql, folder)
  const refused = migrate(database.sql)
  await expect(refused).rejects.toThrow(StartupError)
  await expect(refused).rejects.toThrow(
    pattern(
      /first version of the product, which held paper money only.*/,
      /set DATA_DIR or DATABASE_URL to another one, or delete the folder/,
    ),
  )
  expect(await appliedNames()).toEqual(['0001-people-and-ledger.sql'])
})

test('a file slipped in before an applied one is refused', async () => {
  await write('0002-boxes.sql', 'create table boxes (id int);')
  await migrate(database.sql, folder)
  await write('0001-early.sql', 'select 1')
  await expect(migrate(database.sql, folder)).rejects.toThrow(
    'The migration 0001-early.sql was added before 0002-boxes.sql, already applied.',
  )
})

test('two files of one number are refused', async () => {
  await write('0001-boxes.sql', 'select 1')
  await write('0001-crates.sql', 'select 1')
  await expect(migrate(database.sql, folder)).rejects.toThrow(
    'The migration 0001-crates.sql is not named NNNN-name.sql with a number of its own.',
  )
})
