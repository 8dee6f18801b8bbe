import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { plainRoutes } from '#contract/routes.ts'
import { movement } from '#core/ledger/transfer.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { findArchivedMonths, manifestOf } from '#server/archive/archived-months.ts'
import { hashOf, openArchive } from '#server/archive/parquet-file.ts'
import { atomically, atOneMoment } from '#server/db/atomically.ts'
import { checkBook } from '#server/db/check-book.ts'
import { openMonths } from '#server/db/months.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { part } from '#server/db/statement.ts'
import { readInterest } from '#server/ledger/interest.ts'
import { post } from '#server/ledger/post.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { readSealedTransfersOf } from '#server/ledger/sealed-reads.ts'
import { openContext } from '#server/open-context.ts'
import { archiveCommand } from '#server/ops/archive/archive-command.ts'
import { backup } from '#server/ops/backup/backup.ts'
import { restore } from '#server/ops/backup/restore.ts'
import { examineArchive } from '#server/ops/doctor/examine-archive.ts'
import { exportJson } from '#server/rights/export-json.ts'
import {
  BEGAN_AT,
  monthAgo,
  MONTHS,
  openBookOfMonths,
  type BookOfMonths,
} from './book-of-months.ts'
import { createTestDatabase, SECRET } from './database.ts'
import { pastRules } from './past-rules.ts'
import { databaseUrl } from './postgres.ts'
import type { TestUser, World } from './world.ts'
import { pattern } from './pattern.ts'

let world: World
let sql: Sql
let users: TestUser[]
let archive: BookOfMonths['archive']
let countIn: BookOfMonths['countIn']
let hasPartition: BookOfMonths['hasPartition']
let folder: string
let before: Record<string, string>

beforeAll(async () => {
  ;({ world, sql, users, archive, countIn, hasPartition } = await openBookOfMonths())
  folder = await mkdtemp(join(tmpdir(), 'archive-'))
  before = await everythingOf(users)
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true })
})

const get = async (url: string, { cookie }: TestUser): Promise<string> =>
  (await world.app.inject({ url, headers: { cookie } })).body

/**
 * Everything that these users can read of their money, as text: files, screens, every page of the
 * history and every receipt.
 */
async function everythingOf(whose: readonly TestUser[]): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  for (const user of whose) {
    const note = (name: string, content: unknown) =>
      void (seen[`${user.username} ${name}`] =
        typeof content === 'string' ? content : JSON.stringify(content))
    let copy = ''
    for await (const portion of exportJson(sql, { userId: user.id, madeAt: new Date(0) }))
      copy += portion
    note('copy', copy)
    for (const route of [plainRoutes.statement, plainRoutes.trades])
      note(route, await get(route, user))
    note('portfolio', await user.call('getPortfolio'))
    const bots = await user.call('listBots')
    note('bots', bots)
    for (const { id } of bots) {
      note(`bot ${id}`, await user.call('getBotPerformance', { params: { id } }))
      note(`trades ${id}`, [
        await get(`${plainRoutes.trades}?bot=${id}`, user),
        await get(`${plainRoutes.statement}?bot=${id}`, user),
      ])
    }
    const items = await historyOf(user, {})
    note('history', items)
    for (const { id } of items)
      note(`receipt ${id}`, await user.call('getTransaction', { params: { id } }))
    for (const filters of FILTERS)
      note(`history ${JSON.stringify(filters)}`, await historyOf(user, filters))
  }
  return seen
}

const FILTERS = [
  { type: 'deposit' },
  { type: 'withdrawal' },
  { type: 'transfer' },
  { q: 'bot' },
  { to: new Date(BEGAN_AT + 40 * DAY_MS).toISOString() },
]

async function historyOf(
  user: TestUser,
  filters: Record<string, string>,
): Promise<{ id: string }[]> {
  const items: { id: string }[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await user.call('listTransactions', {
      query: { ...filters, ...(cursor && { cursor }) },
    })
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

describe('a month stays', () => {
  test.each([
    ['without a month', '', /^Give the month as YYYY-MM/],
    ['that is no month', '2024-13', /^Give the month as YYYY-MM/],
    [
      'that is too young',
      monthAgo(1),
      pattern(
        /is younger than 1 month: \d{4}-\d\d /,
        /is the newest that may leave \(ARCHIVE_AFTER_MONTHS\)\.$/,
      ),
    ],
    ['without rows', '2019-07', /^This book has no rows of 2019-07\.$/],
  ])('%s', async (_what, month, sentence) => {
    await expect(archiveCommand(world.context, [month])).rejects.toThrow(sentence)
  })

  test('for two years, unless the operator says otherwise', async () => {
    const config = { ...world.context.config, ARCHIVE_AFTER_MONTHS: 24 }
    await expect(archiveCommand({ ...world.context, config }, [MONTHS[0] ?? ''])).rejects.toThrow(
      `${MONTHS[0]} is younger than 24 months: ${monthAgo(25)} is the newest that may leave`,
    )
  })

  test('in a book that is out of order', async () => {
    const [row] = await sql<
      { userId: string; id: string }[]
    >`select user_id, id from ledger_accounts where code = 'customer:cash' order by id limit 1`
    const add = (units: number) =>
      pastRules(
        sql,
        (tx) =>
          tx`update ledger_accounts set balance = balance + ${units}
            where user_id = ${row?.userId ?? ''} and id = ${row?.id ?? ''}`,
      )
    await add(1)
    await expect(archiveCommand(world.context, [MONTHS[0] ?? ''])).rejects.toThrow(
      /^The book is out of order \(every balance is the sum of its entries: /,
    )
    await add(-1)
  })
})

test('once months have left, every file, screen, page and receipt stays the same', async () => {
  for (const month of MONTHS) {
    const { lines, ok } = await archiveCommand(world.context, [month])
    expect([ok, lines[0]]).toEqual([
      true,
      expect.stringMatching(
        new RegExp(
          `^${month} has left the database: [\\d,]+ rows are in ` +
            `.*ledger_entries-${month}\\.parquet, platform_fees-${month}\\.parquet, ` +
            `sleeve_stays-${month}\\.parquet`,
        ),
      ),
    ])
    expect((await archiveCommand(world.context, [month])).lines).toEqual([
      `${month} has left already: its files are in ${archive().folder}.`,
    ])
  }
  expect((await sql`select sum(fees) from archived_fees`).at(0)).not.toEqual({ sum: null })
  expect(await countIn('archived_entries')).toBeGreaterThan(20)
  expect(await countIn('archived_stays')).toBeGreaterThan(2)
  expect(await everythingOf(users)).toEqual(before)
  // Nothing of it was read from the tables.
  for (const [table, key] of [
    ['ledger_entries', 'transfer_id'],
    ['platform_fees', 'id'],
    ['sleeve_stays', 'ended'],
  ] as const) {
    expect([
      table,
      await countIn(table, part`month_of(${sql(key)}) in (select month from archived_months)`),
    ]).toEqual([table, 0])
  }
  expect(await reconcile(sql)).toEqual([])
  await openMonths({ sql })
  expect(await hasPartition(MONTHS[1] ?? '')).toBe(false)
})

test('months that left still prove payouts, and refuse an occasion booked before', async () => {
  const [{ id: userId } = { id: '' }] = users
  const transfers = await readSealedTransfersOf(sql, userId)
  expect(transfers.filter(({ lines }) => lines.length < 2)).toEqual([])
  const [first] = transfers
  const again = {
    id: v7(),
    dedupKey: first?.dedupKey ?? '',
    eventTime: new Date(),
    userId,
    movement: movement('deposit', [
      { account: { code: 'customer:cash', asset: 'USD', owner: userId }, amount: 5n },
      { account: { code: 'card:clearing', asset: 'USD', owner: userId }, amount: -5n },
    ]),
  }
  await expect(atomically(sql, (tx) => post(tx, again))).rejects.toThrow(
    'was booked before with other entries',
  )
  expect(await readInterest(sql)).toEqual({ paid: 0n, received: 0n })
})

/** The faults that reconcile and the doctor name. */
async function faults(): Promise<string[]> {
  const found = await reconcile(sql)
  const doctor = await examineArchive(sql, { settings: world.context.config, secret: SECRET })
  return [
    ...found.map(({ check, subject, finding }) => `${check}: ${subject}: ${finding}`),
    `${doctor.state} ${doctor.message}`,
  ]
}

const CHECK = 'every archived month is as it was sealed'
const fileOfEntries = () => `ledger_entries-${MONTHS[0]}.parquet`

describe('a month that has left is checked', () => {
  test('and is in order', async () => {
    expect(await faults()).toEqual([
      `ok the files of ${MONTHS.length} months are there, as they were written`,
    ])
    // With the rights of the app's role too.
    const [row] = await sql<{ name: string }[]>`select current_database() as name`
    const app = Object.assign(
      await openDatabase(databaseUrl(inject('postgresAppUrl'), row?.name ?? '')),
      { seals: sql.seals, archive: sql.archive },
    )
    expect(await reconcile(app)).toEqual([])
    await app.end()
  })

  test('a missing file is named, and its users are asked to try again', async () => {
    const path = join(archive().folder, fileOfEntries())
    await rename(path, `${path}.gone`)
    const fault = `the file ${fileOfEntries()} cannot be read in ${archive().folder} (ENOENT)`
    expect(await faults()).toEqual([
      `${CHECK}: ${MONTHS[0]}: ${fault}`,
      `wrong ${MONTHS[0]}: ${fault}. Put the file back from where the backups are`,
    ])
    // A process that has not read it before.
    const known = sql.archive
    sql.archive = openArchive(archive().folder)
    expect(await users[0]?.ask('getPortfolio')).toMatchObject({
      status: 503,
      body: { code: 'temporarily-unavailable' },
    })
    await expect(readSealedTransfersOf(sql, users[0]?.id ?? '')).rejects.toThrow(
      `This payout is not proven: ${fault}.`,
    )
    sql.archive = known
    await rename(`${path}.gone`, path)
  })

  test('a file that vanishes later is missed by those whose rows were not read yet', async () => {
    const path = join(archive().folder, fileOfEntries())
    const known = sql.archive
    sql.archive = openArchive(archive().folder)
    expect(await users[0]?.ask('getPortfolio')).toMatchObject({ status: 200 })
    await rename(path, `${path}.gone`)
    expect(await users[0]?.ask('getPortfolio')).toMatchObject({ status: 200 })
    expect(await users[1]?.ask('getPortfolio')).toMatchObject({
      status: 503,
      body: { code: 'temporarily-unavailable' },
    })
    sql.archive = known
    await rename(`${path}.gone`, path)
  })

  test('an altered file is named', async () => {
    const path = join(archive().folder, fileOfEntries())
    const whole = await readFile(path)
    const altered = Buffer.from(whole)
    altered[100] = (altered[100] ?? 0) ^ 1
    await writeFile(path, altered)
    expect((await faults())[0]).toBe(
      `${CHECK}: ${MONTHS[0]}: the file ${fileOfEntries()} in ${archive().folder} is not as ` +
        'it was written',
    )
    await writeFile(path, whole)
  })

  test.each([
    [
      'another file in its place',
      'the manifest of',
      (tx: Sql) =>
        tx`update archived_months set manifest = replace(manifest, 'sha256', 'sha255')
          where month = ${`${MONTHS[0]}-01`}`,
    ],
    [
      'a sum of entries',
      'the sums that were carried forward',
      (tx: Sql) =>
        tx`update archived_entries set given = given + 1, taken = taken - 1
          where month = ${`${MONTHS[0]}-01`}`,
    ],
    [
      'a fee',
      'the sums that were carried forward',
      (tx: Sql) => tx`update archived_fees set fees = fees + 1`,
    ],
    [
      'a stay',
      'the sums that were carried forward',
      (tx: Sql) => tx`update archived_stays set paid = paid + 1, cash_out = cash_out + 1`,
    ],
    [
      'a transfer',
      'is not as it was sealed',
      (tx: Sql) =>
        tx`update ledger_transfers set event_time = event_time + interval '1 hour'
          where id = (select id from ledger_transfers order by id limit 1)`,
    ],
  ])('%s that was changed in the database is named', async (_what, finding, change) => {
    const undone = new Error('undone')
    await expect(
      atomically(sql, async (tx) => {
        await tx`set local session_replication_role = replica`
        await change(tx as unknown as Sql)
        const found = await reconcile({
          ...sql,
          begin: (_mode: string, work: (one: typeof tx) => Promise<unknown>) => work(tx),
        } as unknown as Sql)
        expect(found.map((one) => one.finding).join()).toContain(finding)
        throw undone
      }),
    ).rejects.toBe(undone)
  })
})

test('a backup names its files, and a restored book is in order where they are', async () => {
  const file = join(folder, 'book.backup')
  const { lines } = await backup(world.context, [file])
  const files = MONTHS.flatMap((month) =>
    ['ledger_entries', 'platform_fees', 'sleeve_stays'].map((table) => `${table}-${month}.parquet`),
  )
  expect(lines[1]).toBe(
    `The files of archived months belong to it, from ${archive().folder}: ${files.join(', ')}.`,
  )
  const beside = join(folder, 'beside')
  await mkdir(beside)
  const secret = 'another-secret-of-at-least-32-letters'
  const restored = async (changes: object) => {
    const database = await createTestDatabase()
    try {
      const config = {
        ...world.context.config,
        DATA_DIR: join(folder, 'restored'),
        ARCHIVE_DIR: beside,
        ...changes,
      }
      await checkBook(database.sql, config)
      const context = openContext({
        config,
        sql: database.sql,
        log: pino({ level: 'silent' }),
        recorded: () => [],
      })
      const { ok, lines: said } = await restore(context, [file])
      return { ok, said, entries: (await database.sql`select from ledger_entries`).length }
    } finally {
      await database.drop()
    }
  }
  const HALTED =
    'Payouts are halted: mark those that were sent after the backup, then run npm run ops -- ' +
    'payouts resume.'
  expect(await restored({})).toMatchObject({
    ok: false,
    said: [...MONTHS.map((month) => `DIFFERS  ${CHECK}: ${month}`), HALTED],
  })
  for (const month of MONTHS)
    for (const table of ['ledger_entries', 'platform_fees', 'sleeve_stays'])
      await copyFile(
        join(archive().folder, `${table}-${month}.parquet`),
        join(beside, `${table}-${month}.parquet`),
      )
  const inOrder = {
    ok: true,
    said: ['Restored, and the book is in order.', HALTED],
    entries: await countIn('ledger_entries'),
  }
  expect(await restored({})).toEqual(inOrder)
  expect(await restored({ SESSION_SECRET: secret, PREVIOUS_SESSION_SECRET: SECRET })).toEqual(
    inOrder,
  )
})

test('a manifest is beside its files, with their hashes and sums of accounts', async () => {
  const { manifest } = JSON.parse(
    await readFile(join(archive().folder, `${MONTHS[0]}.json`), 'utf8'),
  ) as { manifest: ReturnType<typeof manifestOf> }
  const [stored] = await atOneMoment(sql, (tx) => findArchivedMonths(tx))
  expect(manifest).toEqual(JSON.parse(stored?.manifest ?? ''))
  for (const { name, sha256 } of manifest.files)
    expect(await hashOf(join(archive().folder, name))).toBe(sha256)
  const sums = new Map<string, bigint>()
  for (const { asset, given, taken } of manifest.sums)
    sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(given) + BigInt(taken))
  expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([])
})
