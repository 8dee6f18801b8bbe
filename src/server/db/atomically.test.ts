import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { atomically, atOneMoment, CommitAnswerLost } from './atomically.ts'
import { openDatabase } from './open.ts'
import type { Queries } from './statement.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
  await database.sql`create table boxes (id int constraint boxes_pkey primary key, content int)`
  await database.sql`insert into boxes values (1, 0), (2, 0)`
})

afterEach(() => database.drop())

async function contents(): Promise<unknown[]> {
  const rows = await database.sql`select content from boxes order by id`
  return rows.map(({ content }) => content)
}

/** Ends the database session of `queries`, as a crash of the server would. */
async function killSessionOf(queries: Queries): Promise<void> {
  const [row] = await queries<{ pid: number }[]>`select pg_backend_pid() as pid`
  await database.sql`select pg_terminate_backend(${row?.pid ?? 0}, 5000)`
}

/** `opened` resolves when somebody calls `open`. */
function gate(): { open: () => void; opened: Promise<void> } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), opened }
}

function add(transaction: Queries, id: number): Promise<unknown> {
  return transaction`update boxes set content = content + 1 where id = ${id}`
}

test('a transaction at read committed returns the result of its work', async () => {
  const answer = await atomically(database.sql, async (transaction) => {
    const [row] = await transaction<
      { level: string }[]
    >`select current_setting('transaction_isolation') as level`
    await add(transaction, 1)
    return row?.level
  })
  expect(answer).toBe('read committed')
  expect(await contents()).toEqual([1, 0])
})

test('statements of one transaction may be sent at once and are committed with it', async () => {
  const warnings: string[] = []
  const note = ({ message }: Error) => warnings.push(message)
  process.on('warning', note)
  await atomically(database.sql, async (transaction) => {
    await Promise.all([add(transaction, 1), add(transaction, 2), add(transaction, 1)])
    void add(transaction, 2)
  })
  process.off('warning', note)
  expect(await contents()).toEqual([2, 2])
  expect(warnings).toEqual([])
})

test('an error of the work rolls everything back and is rethrown, without a retry', async () => {
  let runs = 0
  const refused = atomically(database.sql, async (transaction) => {
    runs += 1
    await add(transaction, 1)
    throw new Error('the rule said no')
  })
  await expect(refused).rejects.toThrow('the rule said no')
  expect(runs).toBe(1)
  expect(await contents()).toEqual([0, 0])
})

test('two transactions in a deadlock both succeed', async () => {
  const bothHold = gate()
  let runs = 0
  const crossing = (ids: [number, number]): Promise<void> =>
    atomically(database.sql, async (transaction) => {
      await add(transaction, ids[0])
      runs += 1
      if (runs === 2) bothHold.open()
      await bothHold.opened
      await add(transaction, ids[1])
    })
  await Promise.all([crossing([1, 2]), crossing([2, 1])])
  expect(await contents()).toEqual([2, 2])
  // The transaction that runs again may collide with the other once more.
  expect(runs, 'one of them was run again').toBeGreaterThanOrEqual(3)
})

test('a serialization failure is retried a limited number of times', async () => {
  let runs = 0
  const hopeless = atomically(database.sql, async (transaction) => {
    runs += 1
    await transaction`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`
  })
  await expect(hopeless).rejects.toThrow('conflict')
  expect(runs).toBe(8)
})

test('after a connection lost before the commit, the work is retried and booked once', async () => {
  let runs = 0
  await atomically(database.sql, async (transaction) => {
    runs += 1
    await add(transaction, 1)
    if (runs === 1) await killSessionOf(transaction)
    await add(transaction, 2)
  })
  expect(runs).toBe(2)
  expect(await contents()).toEqual([1, 1])
})

test('work that outlives its connection does not reach a later transaction on it', async () => {
  const narrow = await openDatabase(database.url, { poolSize: 1 })
  const late: unknown[] = []
  const othersTurn = gate()
  let runs = 0
  await atomically(narrow, async (transaction) => {
    runs += 1
    if (runs > 1) return
    await killSessionOf(transaction)
    await othersTurn.opened
    await add(transaction, 2).catch((error: unknown) => late.push(error))
  })
  const refused = atomically(narrow, async (transaction) => {
    await add(transaction, 1)
    othersTurn.open()
    await expect.poll(() => late.length).toBe(1)
    await add(transaction, 1)
    throw new Error('the rule said no')
  })
  await expect(refused).rejects.toThrow('the rule said no')
  await narrow.end()
  expect(String(late[0])).toContain('this transaction is over')
  expect(await contents()).toEqual([0, 0])
})

test('a statement that nobody awaited cannot run after the commit', async () => {
  const kept: Queries[] = []
  await atomically(database.sql, async (transaction) => {
    kept.push(transaction)
    await add(transaction, 1)
  })
  await expect(Promise.all(kept.map((transaction) => add(transaction, 2)))).rejects.toThrow(
    'this transaction is over',
  )
  expect(await contents()).toEqual([1, 0])
})

test('when only the response to commit is lost the work is not run again', async () => {
  await database.sql`create function die() returns trigger language plpgsql as $$ begin perform
    pg_terminate_backend(pg_backend_pid()); return null; end $$`
  await database.sql`create constraint trigger die after insert
    on boxes deferrable initially deferred for each row execute function die()`
  let runs = 0
  const uncertain = atomically(database.sql, async (transaction) => {
    runs += 1
    await transaction`insert into boxes values (3, 0)`
  })
  await expect(uncertain).rejects.toThrow(CommitAnswerLost)
  expect(runs).toBe(1)
})

test('atOneMoment reads one snapshot and cannot write', async () => {
  const seen = await atOneMoment(database.sql, async (transaction) => {
    const before = await transaction`select sum(content) as sum from boxes`
    await atomically(database.sql, (other) => add(other, 1))
    const after = await transaction`select sum(content) as sum from boxes`
    return [before, after].map(([row]) => row?.sum)
  })
  expect(seen).toEqual([0n, 0n])
  await expect(atOneMoment(database.sql, (transaction) => add(transaction, 1))).rejects.toThrow(
    'read-only transaction',
  )
})
