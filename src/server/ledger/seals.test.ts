import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { depositCredited } from '#core/ledger/movements.ts'
import { writeAudit } from '#server/security/audit.ts'
import { readConfig } from '#server/settings/config.ts'
import { atomically, atOneMoment } from '#server/db/atomically.ts'
import type { Book, OpenBook, BookWrite } from '#server/db/book.ts'
import { checkBook } from '#server/db/check-book.ts'
import { queriesOver } from '#server/db/statement.ts'
import { headFileOf, readHead } from '#server/kernel/kept-head.ts'
import {
  createTestBook,
  createTestDatabase,
  SECRET,
  type TestDatabase,
} from '../../../test/world/database.ts'
import { sealAll, uncovered } from '../../../test/world/seal-all.ts'
import { findBrokenSeals } from './check-seals.ts'
import { checkSeals, openBook, printHead, sealNow } from './guard-seals.ts'
import { openAccounts, post, postAll, type Transfer } from './post.ts'
import { sealBook } from './seal-book.ts'
import { pattern } from '../../../test/world/pattern.ts'

let database: TestDatabase & OpenBook
let userId: string
let folder: string
beforeEach(async () => {
  database = await createTestBook()
  folder = await mkdtemp(join(tmpdir(), 'seals-'))
  userId = await addUser(database)
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

async function addUser({ sql }: TestDatabase): Promise<string> {
  const id = randomUUID()
  await sql`insert into users (id, username, password, first_name, last_name)
    values (${id}, ${id}, '', 'Ada', 'Byron')`
  await openAccounts(sql, id)
  return id
}

const deposit = (): Transfer => ({
  id: randomUUID(),
  dedupKey: randomUUID(),
  movement: depositCredited({ userId, amount: 5n }),
  userId,
  eventTime: new Date(0),
})
const audit = (book: Book, id = randomUUID()) =>
  writeAudit(book, {
    id,
    actor: 'system',
    action: 'test',
    subject: id,
    details: { b: '1', a: '2' },
  })
const context = () => ({
  ...database,
  config: { ...readConfig({ SESSION_SECRET: SECRET }), DATA_DIR: folder },
  log: pino({ level: 'silent' }),
  now: () => new Date(),
})
const links = () =>
  database.sql<
    { transfers: bigint; events: string[] }[]
  >`select transfers, events from book_seals order by number`
/**
 * Seals what can be sealed. Transactions of other tests, in other databases of this PostgreSQL, may
 * delay that.
 */
const headNumber = async () =>
  (await sealBook(database, { now: new Date(), seen: undefined })).head?.number
const broken = () => atOneMoment(database.sql, (sql) => findBrokenSeals(sql, database.seals))

test('a seal covers the rows of finished transactions, and waits for no other', async () => {
  await database.atomically((tx) => post(tx, deposit()))
  const [written, held] = [latch(), latch()]
  const writing = database.atomically(async (tx) => {
    await post(tx, deposit())
    written.open()
    await held.opened
  })
  await written.opened
  const event = randomUUID()
  await audit(database, event)
  await expect.poll(headNumber).toBe(1n)
  expect(await links()).toEqual([{ transfers: 1n, events: [] }])
  held.open()
  await writing
  await sealAll(context())
  const later = (await links()).slice(1)
  expect([
    later.map(({ transfers }) => transfers).reduce((sum, count) => sum + count, 0n),
    later.flatMap(({ events }) => events),
  ]).toEqual([1n, [event]])
  expect(await headNumber(), 'nothing is new').toBe(BigInt(later.length + 1))
  expect(await broken()).toEqual([])
})

function latch(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

test('eight processes that seal at once make one chain', async () => {
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await audit(database)
      await sealBook(database, { now: new Date(), seen: undefined })
    }),
  )
  await sealAll(context())
  expect((await links()).flatMap(({ events }) => events)).toHaveLength(8)
  expect(await broken()).toEqual([])
})

test('a row whose own seal is broken is never covered', async () => {
  await audit(database)
  await sealAll(context())
  await database.sql`insert into audit_events (id, actor, action, subject, details, seal)
    values (${randomUUID()}, 'a', 'b', 'c', '{}', 'd')`
  await audit(database)
  const findings = async () =>
    (await sealBook(database, { now: new Date(), seen: undefined })).broken.map(
      ({ finding }) => finding,
    )
  await expect.poll(findings).toEqual(['audit event b is not as it was sealed'])
  expect([await headNumber(), await uncovered(database.sql)]).toEqual([1n, 2])
})

test.each([
  ['audit_events', (tx: BookWrite) => audit(tx), 'audit event test is not as it was sealed'],
  [
    'ledger_transfers',
    (tx: BookWrite) => post(tx, { ...deposit(), dedupKey: 'forged' }),
    'transfer forged is not as it was sealed',
  ],
] as const)(
  'a broken row of %s, of a transaction that ran during the last seal, is never covered',
  async (table, write, finding) => {
    await audit(database)
    const [written, held] = [latch(), latch()]
    const writing = database.atomically(async (tx) => {
      await write(tx)
      await tx.sql.unsafe(
        `set local session_replication_role = replica; update ${table} set seal = 'd'`,
      )
      written.open()
      await held.opened
    })
    await written.opened
    await expect.poll(headNumber, { message: 'a link that ends at this transaction' }).toBe(1n)
    held.open()
    await writing
    await expect
      .poll(async () =>
        (await sealBook(database, { now: new Date(), seen: undefined })).broken.map(
          (row) => row.finding,
        ),
      )
      .toEqual([finding])
  },
)

test('of many broken rows of a kind, 20 are listed', async () => {
  await database.atomically((tx) => postAll(tx, Array.from({ length: 21 }, deposit)))
  for (let count = 0; count < 21; count += 1) await audit(database)
  await pastTriggers(
    database,
    "update ledger_transfers set seal = 'd'; update audit_events set seal = 'd'",
  )
  const found = (await broken()).map(({ finding }) => finding.split(' ')[0])
  expect([
    found.filter((kind) => kind === 'audit').length,
    found.filter((kind) => kind === 'transfer').length,
  ]).toEqual([20, 20])
})

test('sealing a thousand transfers takes as many statements as sealing one', async () => {
  const statementsFor = (count: number) =>
    database.atomically(async (tx) => {
      let sent = 0
      const sql = queriesOver((statement) => {
        sent += 1
        return tx.sql.send(statement)
      })
      await postAll({ ...tx, sql }, Array.from({ length: count }, deposit))
      return sent
    })
  // The first transfer also opens the accounts, so it is not measured.
  await statementsFor(1)
  expect(await statementsFor(1_000)).toBe(await statementsFor(1))
  expect(await broken()).toEqual([])
})

test('the seal head never moves back, and a damaged one prevents the start', async () => {
  const { sql } = database
  const config = { BOOK: 'paper' as const, SESSION_SECRET: SECRET, DATA_DIR: folder }
  const bookId = database.seals.book.id
  for (const number of [1n, 2n]) {
    await audit(database)
    await sealAll(context())
    expect((await readHead(folder, bookId))?.number).toBe(number)
  }
  await pastTriggers(database, 'delete from book_seals where number = 2')
  await sealNow(context())
  expect((await readHead(folder, bookId))?.number).toBe(2n)
  await expect(openBook(sql, config)).rejects.toThrow(
    /^A seal of this book is broken \(the chain of seals is whole; seal 2: /,
  )
  for (const text of ['', '{"number":2}', '{"number":"two","seal":"a"}']) {
    await writeFile(headFileOf(folder, bookId), text)
    await expect(openBook(sql, config)).rejects.toThrow(
      pattern(
        /^The head of the book's seals in .*\.json (is damaged|cannot be read): /,
        /put the file back, or remove it if it was lost\.$/,
      ),
    )
  }
})

test.each([0, 1, 2])(
  'a database restored to its seal %d is reported at every sealing',
  async (kept) => {
    const { sql } = database
    for (let count = 0; count < 3; count += 1) {
      await audit(database)
      await sealAll(context())
    }
    const head = await readHead(folder, database.seals.book.id)
    await pastTriggers(
      database,
      `
    delete from audit_events where written_in >= (select coalesce(max(until_transaction), 0)
           from book_seals where number <= ${kept});
    delete from book_seals where number > ${kept}`,
    )
    for (let count = 0; count < 5; count += 1) {
      await audit(database)
      await sql`delete from broken_seal`
      await sealNow(context())
      expect([await readHead(folder, database.seals.book.id), (await links()).length]).toEqual([
        head,
        kept,
      ])
      expect(await sql`select sentence from broken_seal`).toMatchObject([
        {
          sentence: expect.stringContaining(
            `seal 3: this installation has seen it, and the chain ends at seal ${kept}`,
          ),
        },
      ])
      expect((await checkSeals(context(), 'quick')).length).toBeGreaterThan(0)
    }
    // Another chain, grown by a process with another kept head, reaches the same number.
    for (let count = 0; count < 4; count += 1) {
      await audit(database)
      await expect
        .poll(
          async () =>
            (await sealBook(database, { now: new Date(), seen: undefined })) && uncovered(sql),
        )
        .toBe(0)
    }
    expect((await links()).length).toBeGreaterThan(3)
    await sealNow(context())
    expect(await readHead(folder, database.seals.book.id)).toEqual(head)
    await expect(
      openBook(sql, { BOOK: 'paper', SESSION_SECRET: SECRET, DATA_DIR: folder }),
    ).rejects.toThrow('this installation has seen another one of that number')
  },
)

test('the newest seal is printed, so that a log stored elsewhere proves the chain', async () => {
  await audit(database)
  await sealAll(context())
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  await printHead({ ...context(), log })
  const [newest] = await database.sql<
    { number: bigint; seal: string }[]
  >`select number, seal from book_seals order by number desc limit 1`
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      level: 30,
      book: database.seals.book.id,
      number: String(newest?.number),
      seal: newest?.seal,
      msg: 'the newest seal of the book',
    },
  ])
})

test.each(['paper', 'live'] as const)(
  'a %s book with a row that has no seal does not start',
  async (kind) => {
    const book = await createTestDatabase()
    const config = { BOOK: kind, SESSION_SECRET: SECRET, DATA_DIR: folder }
    await audit(await checkBook(book.sql, config))
    await pastTriggers(book, 'update audit_events set seal = null')
    await expect(openBook(book.sql, config)).rejects.toThrow(
      pattern(
        /^A seal of this book is broken \(every row is as it was sealed; .*/,
        / audit event test has no seal\)/,
      ),
    )
    await book.drop()
  },
)

function pastTriggers({ sql }: TestDatabase, text: string): Promise<void> {
  return atomically(
    sql,
    async (tx) => void (await tx.unsafe(`set local session_replication_role = replica; ${text}`)),
  )
}
