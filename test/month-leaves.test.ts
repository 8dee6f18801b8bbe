import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { findArchivedMonths, manifestOf } from '#server/archive/archived-months.ts'
import type { Archive } from '#server/db/archive.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { part } from '#server/db/statement.ts'
import { findStays } from '#server/holdings/stays.ts'
import { findBrokenSeals } from '#server/ledger/check-seals.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { letMonthLeave } from '#server/ops/archive/let-month-leave.ts'
import { writeMonth } from '#server/ops/archive/write-month.ts'
import { MONTHS, openBookOfMonths, type BookOfMonths } from './book-of-months.ts'
import { pastRules } from './past-rules.ts'
import { openLife } from './soak/faulty-sql.ts'
import type { TestUser, World } from './world.ts'

let world: World
let sql: Sql
let users: TestUser[]
let archive: BookOfMonths['archive']
let countIn: BookOfMonths['countIn']
let hasPartition: BookOfMonths['hasPartition']

beforeAll(async () => {
  ;({ world, sql, users, archive, countIn, hasPartition } = await openBookOfMonths())
})
afterAll(() => world.close())

test('a month whose leaving is killed is in the database or in recorded files', async () => {
  const [month = ''] = MONTHS
  const total = await countIn('ledger_entries')
  // Killed after the files were written: the next run writes them again.
  await writeMonth(sql, { month, folder: archive().folder })
  const stored = await writeMonth(sql, { month, folder: archive().folder })
  const terminate = () => Promise.resolve()
  let kills = 0
  for (let at = 1; ; at += 1) {
    const life = openLife({
      base: sql,
      terminate,
      figures: { statements: 0, transactions: 0, faults: {}, repeated: 0 },
    })
    life.arm({ kind: 'kill', at })
    const isKilled = await letMonthLeave(life.sql, stored).then(
      () => false,
      () => true,
    )
    if (!isKilled) break
    kills += 1
    expect([
      at,
      await hasPartition(month),
      await countIn('ledger_entries'),
      await countIn('archived_months'),
      await countIn('archived_entries'),
    ]).toEqual([at, true, total, 0, 0])
  }
  expect(kills).toBeGreaterThan(8)
  expect([await hasPartition(month), await countIn('archived_months')]).toEqual([false, 1])
  const [{ files } = { files: [] }] = (await findArchivedMonths(sql)).map((one) =>
    manifestOf(one, required(sql.seals, 'the book is open')),
  )
  for (const file of files) await archive().verify(file)
  expect(total - (await countIn('ledger_entries'))).toBe(
    files.find(({ table }) => table === 'ledger_entries')?.rows,
  )
  expect(await reconcile(sql)).toEqual([])
})

test('files that differ from the database are refused, and nothing leaves', async () => {
  const month = MONTHS[1] ?? ''
  const stored = await writeMonth(sql, { month, folder: archive().folder })
  const other = {
    ...stored,
    manifest: JSON.stringify({ ...(JSON.parse(stored.manifest) as object), carried: 'another' }),
  }
  await expect(letMonthLeave(sql, other)).rejects.toThrow(
    `Rows of ${month} were written while its files were`,
  )
  expect(await hasPartition(month)).toBe(true)
})

describe('a month that leaves meanwhile', () => {
  /** The stays of a user, some of whose ended in that month, and the files of the month. */
  async function aboutToLeave(month: string) {
    const [{ id: userId } = { id: '' }] = users
    expect(
      await countIn(
        'sleeve_stays',
        part`user_id = ${userId} and month_of(ended) = ${`${month}-01`}`,
      ),
    ).toBeGreaterThan(0)
    return {
      userId,
      known: await findStays(sql, { userId }),
      stored: await writeMonth(sql, { month, folder: archive().folder }),
    }
  }

  test('is whole for those who read at one moment, as long as they read', async () => {
    const { userId, known, stored } = await aboutToLeave(MONTHS[1] ?? '')
    let leaving: Promise<void> | undefined
    await atOneMoment(sql, async (tx) => {
      await tx`select from users`
      leaving = letMonthLeave(sql, stored)
      const isWaiting = async () =>
        (await sql`select from pg_locks where not granted and relation = 'sleeve_stays'::regclass`)
          .length > 0
      await expect
        .poll(async () => (await isWaiting()) || !(await hasPartition(MONTHS[1] ?? '')))
        .toBe(true)
      expect(await findStays(tx, { userId })).toEqual(known)
      expect(await findBrokenSeals(tx, required(sql.seals, 'the book is open'))).toEqual([])
    })
    await leaving
    expect(await hasPartition(MONTHS[1] ?? '')).toBe(false)
  })

  test('lets go of everything for those who write, whatever they want next', async () => {
    const month = MONTHS[3] ?? ''
    const stored = await writeMonth(sql, { month, folder: archive().folder })
    const held = [
      'sleeve_stays',
      'trading_bots',
      'pool_changes',
      'ledger_accounts',
      'ledger_transfers',
      'ledger_entries',
      'platform_fees',
    ]
    const failures: unknown[] = []
    const undone = new Error('undone')
    const stop = new AbortController()
    // In every order of two, for as long as the month tries.
    const writing = Promise.all(
      held.map(async (table, index) => {
        for (let next = 1; !stop.signal.aborted; next += 1) {
          await sql
            .begin('', async (tx) => {
              await tx`lock table only ${tx(table)} in row exclusive mode`
              await delay(20)
              await tx`lock table only ${tx(held[(index + next) % held.length] ?? '')}
                in row exclusive mode`
              throw undone
            })
            .catch((error: unknown) => error === undone || failures.push(error))
          await delay(30)
        }
      }),
    )
    await letMonthLeave(sql, stored)
    stop.abort()
    await writing
    expect(failures).toEqual([])
    expect(await hasPartition(month)).toBe(false)
  })

  test('is found by those who have found another before', async () => {
    const { userId, known, stored } = await aboutToLeave(MONTHS[2] ?? '')
    const files = archive()
    sql.archive = {
      ...files,
      rowsOf: async (...asked) => {
        sql.archive = files
        await letMonthLeave(sql, stored)
        return files.rowsOf(...asked)
      },
    } satisfies Archive
    expect(await findStays(sql, { userId })).toEqual(known)
    expect(await hasPartition(MONTHS[2] ?? '')).toBe(false)
  })
})

test('a fee names the last sale of its bot, and none if a later one may have left', async () => {
  const trades: (string | null)[] = []
  for (const user of users) {
    const [{ id } = { id: '' }] = (await user.call('listBots')).filter(
      ({ name }) => name === 'kept',
    )
    await user.call('deleteBot', { params: { id } })
    await world.serve()
    const [fee] = await sql<
      { trade: string | null }[]
    >`select trade from platform_fees where bot_id = ${id} order by id desc limit 1`
    trades.push(fee?.trade ?? null)
    await pastRules(sql, async (tx) => {
      await tx`insert into archived_months (month, first_id, end_id, manifest, seal)
        select m, month_id(m), month_id((m + interval '1 month')::date), '', ''
        from (select date '2099-01-01' as m) d on conflict do nothing`
      await tx`insert into archived_stays (user_id, bot_id, month, stays, paid, cash_out)
        select user_id, id, '2099-01-01', 1, 0, 0 from trading_bots where name = 'kept' on conflict
        do nothing`
    })
  }
  expect(trades).toEqual([expect.any(String), null])
})
