import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { required } from '#core/assert.ts'
import { movement } from '#core/ledger/transfer.ts'
import { openArchive } from '#server/archive/parquet-file.ts'
import { codeOf } from '#server/code-of.ts'
import { atomically } from '#server/db/atomically.ts'
import { checkBook } from '#server/db/check-book.ts'
import { migrate } from '#server/db/migrate.ts'
import { countMonths, findStrayTables, openMonths, openMonthsIn } from '#server/db/months.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { findStays } from '#server/holdings/stays.ts'
import { post } from '#server/ledger/post.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { openContext } from '#server/open-context.ts'
import { backup } from '#server/ops/backup/backup.ts'
import { restore } from '#server/ops/backup/restore.ts'
import { columnsOf, tablesOf } from '#server/ops/backup/tables.ts'
import { contentOfArchivedMonth, openSeals, type BookIdentity } from '#server/seal.ts'
import { findLines } from '#server/transactions/store.ts'
import { fillBookSince } from './book-of-months.ts'
import { createTestDatabase, SECRET } from './database.ts'
import { pastRules } from './past-rules.ts'
import { databaseUrl } from './postgres.ts'
import type { World } from './world.ts'

const TABLES = ['ledger_entries', 'platform_fees', 'sleeve_stays']
const SPAN_MS = 100 * DAY_MS
const beganAt = Date.now() - SPAN_MS

let world: World
let sql: Sql
let app: Sql
let folder: string

/**
 * A book whose ids were made over more than three months, in a database that has the partitions of
 * this month and the next alone.
 */
beforeAll(async () => {
  ;[{ world }, folder] = await Promise.all([
    fillBookSince(beganAt),
    mkdtemp(join(tmpdir(), 'months-')),
  ])
  sql = world.context.sql
  const [row] = await sql<{ name: string }[]>`select current_database() as name`
  app = await openDatabase(
    databaseUrl(inject('postgresAppUrl'), required(row, 'a database has a name').name),
  )
})
afterAll(async () => {
  await app.end()
  await world.close()
  await rm(folder, { recursive: true })
})

/** Every row of the book, table by table. */
async function contentsOf(where: Queries): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const table of await tablesOf(where)) {
    const [row] = await where<{ hash: string }[]>`
      select count(*) || ' ' || md5(coalesce(string_agg(row, ',' order by row), '')) as hash
        from (select (to_jsonb(t) - 'written_in')::text as row from ${where(table)} t) t`
    contents[table] = row?.hash ?? ''
  }
  return contents
}

/** The partitions of a table, and whether they have rows. */
async function partitionsOf(where: Queries, table: string): Promise<Record<string, boolean>> {
  const rows = await where<
    { name: string }[]
  >`select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass
    order by 1`
  const found: Record<string, boolean> = {}
  for (const { name } of rows)
    found[name.slice(table.length + 1)] =
      (await where`select from ${where(name)} limit 1`).length === 1
  return found
}

const nameOf = (at: Date): string => at.toISOString().slice(0, 7).replace('-', '_')
const months = (): string[] => {
  const [from, now] = [new Date(beganAt), new Date()]
  const count =
    (now.getUTCFullYear() - from.getUTCFullYear()) * 12 + now.getUTCMonth() - from.getUTCMonth()
  return Array.from({ length: count + 2 }, (_, index) =>
    nameOf(new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + index))),
  )
}

test('rows without a partition are kept, named as strays, and moved by the app', async () => {
  expect(await reconcile(sql)).toEqual([])
  expect(await findStrayTables(sql)).toEqual(TABLES)
  expect((await world.app.inject('/health')).json()).toMatchObject({
    months: 'rows without a month',
  })
  const before = await contentsOf(sql)
  await Promise.all([openMonths({ sql: app }), openMonths({ sql: app })])
  await countMonths({ sql: app })
  expect(await findStrayTables(sql)).toEqual([])
  expect((await world.app.inject('/health')).json()).toMatchObject({ months: 'whole' })
  const entries = await partitionsOf(sql, 'ledger_entries')
  expect(Object.keys(entries)).toEqual([...months(), 'rest'])
  expect(Object.entries(entries).filter(([, hasRows]) => hasRows).length).toBeGreaterThan(2)
  expect(await contentsOf(sql)).toEqual(before)
  expect(await reconcile(sql)).toEqual([])
})

test('an id of the future waits without a month, and everything goes on', async () => {
  const user = await world.user()
  const transfer = {
    id: v7({ msecs: Date.now() + 400 * DAY_MS }),
    dedupKey: 'future',
    eventTime: new Date(),
    userId: user.id,
    movement: movement('deposit', [
      { account: { code: 'customer:cash', asset: 'USD', owner: user.id }, amount: 5n },
      { account: { code: 'card:clearing', asset: 'USD', owner: user.id }, amount: -5n },
    ]),
  }
  const undone = new Error('undone')
  await expect(
    atomically(sql, async (tx) => {
      expect(await post(tx, transfer)).toBe('posted')
      expect(await post(tx, transfer)).toBe('already-posted')
      await tx`set constraints all immediate`
      await openMonthsIn(tx)
      expect(await findStrayTables(tx)).toEqual(['ledger_entries'])
      throw undone
    }),
  ).rejects.toBe(undone)
})

const WRITES = (table: string): [string, string][] => [
  ['insert', `insert into ${table} select * from ${table}`],
  ['update', `update ${table} set user_id = user_id`],
  ['delete', `delete from ${table}`],
  ['truncate', `truncate ${table}`],
]

test('neither the app nor the owner can write to a partition beside its table', async () => {
  for (const table of TABLES) {
    for (const part of Object.keys(await partitionsOf(sql, table))) {
      for (const [deed, statement] of WRITES(`${table}_${part}`)) {
        const refusals = await Promise.all(
          [app, sql].map((role) =>
            role.unsafe(statement).then(
              () => undefined,
              (error: unknown) => [codeOf(error), (error as { constraint?: string }).constraint],
            ),
          ),
        )
        expect([table, part, deed, ...refusals]).toEqual([
          table,
          part,
          deed,
          ['42501', undefined],
          ['23000', 'partition_through_table'],
        ])
      }
    }
  }
})

test.each([
  "select open_month('ledger_entries', '2020-01-01')",
  'create table ledger_entries_2020_01 partition of ledger_entries for values from ' +
    "('00000000-0000-0000-0000-000000000000') to ('00000000-0000-0000-0000-000000000001')",
  'alter table ledger_entries detach partition ledger_entries_rest',
])('the role of the app makes months ahead and no other partition: %s', async (statement) => {
  await expect(app.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
})

/** The partitions that the statements of a transaction have looked into so far. */
const LOOKED_INTO = `
  select relname as name from pg_stat_xact_user_tables
   where relname ~ '^ledger_entries_' and coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0
   order by 1`

test('a posting, its repetition and a receipt read the month of their transfer alone', async () => {
  const user = await world.user()
  const transfer = {
    id: v7({ msecs: Date.now() }),
    dedupKey: 'looked-into',
    eventTime: new Date(),
    userId: user.id,
    movement: movement('deposit', [
      { account: { code: 'customer:cash', asset: 'USD', owner: user.id }, amount: 5n },
      { account: { code: 'card:clearing', asset: 'USD', owner: user.id }, amount: -5n },
    ]),
  }
  const undone = new Error('undone')
  await expect(
    atomically(sql, async (tx) => {
      // In a book as small as this one, the planner would rather read all of it.
      for (const method of ['hashjoin', 'mergejoin', 'seqscan'])
        await tx.unsafe(`set local enable_${method} = off`)
      await post(tx, transfer)
      await tx`set constraints all immediate`
      await post(tx, transfer)
      await findLines(tx, {
        userId: user.id,
        transferId: transfer.id,
        withdrawalId: null,
      } as Parameters<typeof findLines>[1])
      expect(await tx.unsafe(LOOKED_INTO)).toEqual([
        { name: `ledger_entries_${nameOf(new Date())}` },
      ])
      throw undone
    }),
  ).rejects.toBe(undone)
})

test('a backup of a book of several months is restored into its months, row for row', async () => {
  const file = join(folder, 'book.backup')
  await backup(world.context, [file])
  const database = await createTestDatabase()
  try {
    const config = { ...world.context.config, DATA_DIR: join(folder, 'restored') }
    await checkBook(database.sql, config)
    const before = await contentsOf(sql)
    const context = openContext({
      config,
      sql: database.sql,
      log: pino({ level: 'silent' }),
      recorded: () => [],
    })
    expect(await restore(context, [file])).toEqual({
      lines: [
        'Restored, and the book is in order.',
        'Payouts are halted: mark those that were sent after the backup, then run npm run ops ' +
          '-- payouts resume.',
      ],
      ok: true,
    })
    const { audit_events: _, ...restored } = await contentsOf(database.sql)
    expect(restored).toEqual(
      Object.fromEntries(Object.entries(before).filter(([table]) => table !== 'audit_events')),
    )
    for (const table of TABLES)
      expect(await partitionsOf(database.sql, table)).toEqual(await partitionsOf(sql, table))
  } finally {
    await database.drop()
  }
})

/**
 * A database of an older version, which has every migration before `next`, with the rows of this
 * book; `work` gets it and the names of those that it lacks.
 */
async function withOlderBook(
  next: string,
  work: (older: Sql, lacking: string[]) => Promise<void>,
): Promise<void> {
  const older = await mkdtemp(join(folder, 'older-'))
  const current = new URL('../src/server/db/migrations/', import.meta.url)
  const names = (await readdir(current)).toSorted()
  for (const name of names.filter((one) => one < next))
    await copyFile(new URL(name, current), join(older, name))
  const database = await createTestDatabase({ template: 'template0' })
  try {
    await migrate(database.sql, older)
    await copyBook(sql, database.sql)
    await work(
      database.sql,
      names.filter((one) => one >= next),
    )
  } finally {
    await database.drop()
  }
}

test.each([
  ['before its tables had months', '0022'],
  ['when stays lay in the months in which they began', '0025'],
])('a book that was made %s is migrated row for row', async (_when, next) => {
  await withOlderBook(next, async (older, lacking) => {
    expect(await migrate(older)).toEqual(lacking)
    await checkBook(older, { BOOK: 'paper', SESSION_SECRET: SECRET })
    // The next start seals the accounts.
    expect({ ...(await contentsOf(older)), account_seals: '' }).toEqual({
      ...(await contentsOf(sql)),
      account_seals: '',
    })
    for (const table of TABLES)
      expect([table, await partitionsOf(older, table)]).toEqual([
        table,
        await partitionsOf(sql, table),
      ])
    expect(await reconcile(older)).toEqual([])
  })
})

test('a month that left before stays could keeps its stays in the database', async () => {
  const [month = ''] = Object.entries(await partitionsOf(sql, 'sleeve_stays')).flatMap(
    ([name, hasRows]) => (hasRows && name !== 'rest' ? [name.replace('_', '-')] : []),
  )
  const [book] = await sql<BookIdentity[]>`select id, kind from book`
  const manifest = JSON.stringify({
    book: book?.id,
    month,
    files: [],
    sums: [],
    carried: createHash('sha256').digest('hex'),
  })
  const seal = openSeals({ secret: SECRET, book: required(book, 'the book') }).sealOf(
    'archived month',
    contentOfArchivedMonth(manifest),
  )
  await withOlderBook('0025', async (older) => {
    await older`insert into archived_months (month, first_id, end_id, manifest, seal)
      select m, month_id(m), month_id((m + interval '1 month')::date), ${manifest}, ${seal}
      from (select ${`${month}-01`}::date as m) d`
    await migrate(older)
    expect(await partitionsOf(older, 'sleeve_stays')).toEqual(
      await partitionsOf(sql, 'sleeve_stays'),
    )
    await checkBook(older, { BOOK: 'paper', SESSION_SECRET: SECRET })
    older.archive = openArchive(folder)
    // As a restored backup does, which writes all rows before it opens their months.
    const lying = `sleeve_stays_${month.replace('-', '_')}`
    await pastRules(older, async (tx) => {
      await tx`create temporary table lying on commit drop as select * from ${tx(lying)}`
      await tx`drop table ${tx(lying)}`
      await tx`insert into sleeve_stays select * from lying`
    })
    await openMonths({ sql: older })
    expect(await partitionsOf(older, 'sleeve_stays')).toEqual(
      await partitionsOf(sql, 'sleeve_stays'),
    )
    expect(await reconcile(older)).toEqual([])
    for (const { id: userId } of await sql<{ id: string }[]>`select id from users`)
      expect(await findStays(older, { userId })).toEqual(await findStays(sql, { userId }))
  })
})

test('a stay that is being written while its table is migrated is kept', async () => {
  await withOlderBook('0025', async (older) => {
    let migrating: Promise<unknown> | undefined
    await older.begin('', async (tx) => {
      await tx`insert into sleeve_stays select user_id, bot_id, pool, 0, gen_random_uuid(),
        left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out from sleeve_stays
        where units > 0 limit 1`
      migrating = migrate(older)
      await expect
        .poll(
          () =>
            older`select from pg_locks where not granted and relation = 'sleeve_stays'::regclass`,
        )
        .toHaveLength(1)
    })
    await migrating
    expect(await older`select from sleeve_stays where joined = 0`).toHaveLength(1)
  })
})

/** Copies every row that an older version has a column for. */
async function copyBook(from: Sql, to: Sql): Promise<void> {
  await pastRules(to, async (tx) => {
    for (const table of await tablesOf(tx)) {
      const columns = tx(await columnsOf(tx, table))
      const [row] = await from<
        { rows: string }[]
      >`select coalesce(jsonb_agg(t), '[]')::text as rows from ${from(table)} t`
      await tx`delete from ${tx(table)}`
      await tx`insert into ${tx(table)} (${columns}) overriding system value select ${columns}
        from jsonb_populate_recordset(null::${tx(table)}, ${row?.rows ?? '[]'}::text::jsonb)`
    }
  })
}
