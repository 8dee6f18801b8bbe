import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Refusal } from '#core/refusal.ts'
import { atomically } from '#server/db/atomically.ts'
import { queriesOver, type Queries } from '#server/db/statement.ts'
import { clearThrottle, throttle, uncount, type Limit } from './throttle.ts'
import { createWorld, type World } from '../../../test/world/world.ts'

/** Attempts are counted in the database, but a flood of refused ones hardly queries it. */
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

// Stops only this process's clock; the database has its own.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Longer than a process caches a refusal. */
const A_WHILE_MS = 1_001

let keys = 0
const freshLimit = (limit: number, windowSeconds = 60): Limit => ({
  key: `test:${(keys += 1)}`,
  limit,
  windowSeconds,
})

/**
 * The world's database, with the number of statements that were sent to it and of those that were
 * under way at once.
 */
function watched(): {
  sql: Queries
  counts: { sent: number; underWay: number; mostAtOnce: number }
} {
  const counts = { sent: 0, underWay: 0, mostAtOnce: 0 }
  const sql = queriesOver(async (sent) => {
    counts.sent += 1
    counts.mostAtOnce = Math.max(counts.mostAtOnce, (counts.underWay += 1))
    return world.context.sql.send(sent).finally(() => (counts.underWay -= 1))
  })
  return { sql, counts }
}

/** The seconds that a refused attempt must wait; 0 if it was allowed. */
async function attempt(sql: Queries, ...limits: [Limit, ...Limit[]]): Promise<number> {
  try {
    await throttle(sql, ...limits)
    return 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.code).toBe('too-many-attempts')
    return Number(error.values['seconds'])
  }
}

const attempts = (sql: Queries, count: number, ...limits: [Limit, ...Limit[]]) =>
  Promise.all(Array.from({ length: count }, () => attempt(sql, ...limits)))

const allowed = (waits: readonly number[]) => waits.filter((wait) => wait === 0).length

async function storedAttempts({ key }: Limit): Promise<number | undefined> {
  const [row] = await world.context.sql<
    { attempts: number }[]
  >`select attempts from throttles where key = ${key}`
  return row?.attempts
}

describe('attempts at the same moment', () => {
  test('attempts are allowed up to the limit, then refused with the remaining time', async () => {
    const limit = freshLimit(10)
    const waits = await attempts(world.context.sql, 40, limit)
    expect(allowed(waits)).toBe(10)
    expect(waits.filter((wait) => wait > 0 && wait <= 60)).toHaveLength(30)
  })

  test('attempts under one key take one connection; those under others do not wait', async () => {
    const { sql, counts } = watched()
    await attempts(sql, 20, freshLimit(10))
    expect(counts.mostAtOnce).toBe(1)
    await Promise.all([attempts(sql, 5, freshLimit(10)), attempts(sql, 5, freshLimit(10))])
    expect(counts.mostAtOnce).toBe(2)
  })

  test('count once each under every limit', async () => {
    const [short, long] = [freshLimit(5), freshLimit(8, 3_600)]
    expect(allowed(await attempts(world.context.sql, 20, short, long))).toBe(5)
    expect(
      await storedAttempts(long),
      'which those that the short limit refused do not use up',
    ).toBe(5)
  })
})

describe('a used-up limit', () => {
  test('refuses a flood after one more statement', async () => {
    const limit = freshLimit(3)
    await attempts(world.context.sql, 3, limit)
    const { sql, counts } = watched()
    const waits = await attempts(sql, 500, limit)
    expect([allowed(waits), counts.sent]).toEqual([0, 1])
  })

  test('refuses an attempt that has several limits without counting the others', async () => {
    const [short, long] = [freshLimit(3), freshLimit(30, 3_600)]
    await attempts(world.context.sql, 3, short, long)
    const { sql, counts } = watched()
    expect(allowed(await attempts(sql, 200, short, long))).toBe(0)
    expect(counts.sent, 'one look at all').toBe(1)
    expect(await storedAttempts(long)).toBe(3)
  })

  test('the limit is looked up again after a second, as another process may reset it', async () => {
    const limit = freshLimit(1)
    await attempts(world.context.sql, 2, limit)
    await world.context.sql`delete from throttles where key = ${limit.key}`
    expect(await attempt(world.context.sql, limit)).toBeGreaterThan(0)
    vi.advanceTimersByTime(A_WHILE_MS)
    expect(await attempt(world.context.sql, limit)).toBe(0)
  })

  // Within a transaction `now()` is constant, so the seconds in these two tests are exact.
  test('a used-up limit is cached no longer than its window', async () => {
    const limit = freshLimit(1, 60)
    await atomically(world.context.sql, async (tx) => {
      await attempt(tx, limit)
      await tx`update throttles set window_start = now() - interval '59.5 seconds'
        where key = ${limit.key}`
      expect(await attempt(tx, limit)).toBe(1)
      await tx`update throttles set window_start = now() - interval '61 seconds'
        where key = ${limit.key}`
      vi.advanceTimersByTime(501)
      expect(await attempt(tx, limit)).toBe(0)
    })
  })

  test('states a wait that shortens while it is cached', async () => {
    const limit = freshLimit(1, 60)
    await atomically(world.context.sql, async (tx) => {
      await attempt(tx, limit)
      await tx`update throttles set window_start = now() - interval '50.5 seconds'
        where key = ${limit.key}`
      expect(await attempt(tx, limit)).toBe(10)
    })
    vi.advanceTimersByTime(900)
    const { sql, counts } = watched()
    expect([await attempt(sql, limit), counts.sent]).toEqual([9, 0])
  })

  test.each([
    ['cleared', clearThrottle],
    ['uncounted', uncount],
  ] as const)('allows an attempt at once if it is %s here', async (_how, reset) => {
    const limit = freshLimit(1)
    expect(await attempts(world.context.sql, 1, limit)).toEqual([0])
    await world.context.sql`update throttles set attempts = 1 where key = ${limit.key}`
    await attempt(world.context.sql, limit, freshLimit(9))
    await reset(world.context.sql, limit.key)
    expect(await attempt(world.context.sql, limit)).toBe(0)
  })
})

test('an attempt is not delayed by an earlier one that the database failed', async () => {
  const limit = freshLimit(1)
  const broken = queriesOver(() => Promise.reject(new Error('lost')))
  await expect(throttle(broken, limit)).rejects.toThrow('lost')
  expect(await attempt(world.context.sql, limit)).toBe(0)
})
