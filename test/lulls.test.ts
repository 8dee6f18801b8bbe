import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeBot, lockBot } from '#server/bots/change-bots.ts'
import { isLull, lullSince } from '#server/bots/change-lock.ts'
import { atomically } from '#server/db/atomically.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { createWorld, type TestUser, type World } from './world.ts'

/**
 * The engine of a distributed book, on a PostgreSQL that is taken for one: it asks the nodes of
 * users only after a change of a bot.
 */

let world: World
let user: TestUser
beforeAll(async () => {
  // A time at which prices fall soon.
  world = await createWorld({
    feed: { ...simulatedFeed({ seed: 7 }), beginMs: () => Date.UTC(2025, 0, 1) },
  })
  world.context.sql.isDistributed = true
  user = await world.user()
  await user.deposit('5000')
})
afterAll(() => world.close())

const makeBot = (name: string) =>
  user.call('createBot', {
    body: {
      name,
      strategy: 'hold',
      tradingPairs: ['BTC/USDT', 'ETH/USDT'],
      investmentAmount: '500',
    },
  })

const statusOf = async (id: string) =>
  (await user.call('listBots')).find((bot) => bot.id === id)?.status ?? 'closed'

const original = pg.Client.prototype.query as (...sent: unknown[]) => unknown

const textOf = (sent: unknown): string =>
  typeof sent === 'string' ? sent : String((sent as { text?: string }).text)

/** Statements on users' bots that `work` sends. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return query.mock.calls
      .map(([sent]) => textOf(sent))
      .filter((text) => /\b(trading_bots|sleeves|bot_guards|bot_stops)\b/.test(text))
  } finally {
    query.mockRestore()
  }
}

/** Two rounds: the first may move something, and the second finds nothing. */
async function rest(): Promise<void> {
  await world.serve()
  await world.serve()
}

test('an engine asks for nothing in a pulse without changes, or in hours of trades', async () => {
  await user.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'ETH/USDT'],
      investmentAmount: '500',
    },
  })
  await world.hours(24)
  await rest()
  expect(await asked(() => world.serve())).toEqual([])
  const trades = () => world.context.sql`select from engine_blocks`.then(({ count }) => count)
  const before = await trades()
  expect(await asked(() => world.hours(240))).toEqual([])
  expect(await trades()).toBeGreaterThan(before)
})

test.each<[string, (id: string) => Promise<unknown>, string]>([
  [
    'paused',
    (id) => user.call('updateBot', { params: { id }, body: { isActive: false } }),
    'paused',
  ],
  ['closed', (id) => user.call('deleteBot', { params: { id } }), 'closed'],
])('a bot that is %s ends the rest', async (_deed, change, status) => {
  const { id } = await makeBot('Changing')
  await rest()
  expect(await asked(() => world.serve())).toEqual([])
  await change(id)
  await rest()
  expect(await statusOf(id)).toBe(status)
  const [moving] = await world.context.sql<
    { count: bigint }[]
  >`select count(*) from sleeves where bot_id = ${id}
    and status in ('in', 'joining', 'leaving', 'pausing')`
  expect(moving?.count).toBe(0n)
})

function signal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give: () => give() }
}

test('a change begun before the engine looked and committed after is not missed', async () => {
  const { id } = await makeBot('Late')
  await rest()
  const [locked, committed] = [signal(), signal()]
  const change = atomically(world.context.sql, async (tx) => {
    const bot = await lockBot(tx, { userId: user.id, id })
    if (!bot) throw new Error('the bot is there')
    locked.give()
    await committed.given
    await closeBot(tx, bot)
  })
  await locked.given
  const look = world.serve()
  await world.context.sql`select pg_sleep(0.3)`
  committed.give()
  await Promise.all([change, look])
  await rest()
  expect(await statusOf(id)).toBe('closed')
})

test('a lull ends by itself, as a committed change may reach its node late', async () => {
  const { sql } = world.context
  const [{ since } = { since: '' }] = await sql<
    { since: string }[]
  >`select last_value || ' since ' || pg_postmaster_start_time() as since from bot_changes`
  const lull = lullSince(since)
  expect(await isLull(sql, lull)).toBe(true)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 31_000)
  expect(await isLull(sql, lull)).toBe(false)
  clock.mockRestore()
})

test('an hour that is run again after a lost node watches its guards', async () => {
  const { id } = await makeBot('Unlucky')
  await world.hours(2)
  await user.call('updateBot', { params: { id }, body: { guards: { stopLossPercent: 1 } } })
  const query = vi.spyOn(pg.Client.prototype, 'query')
  let hasFailed = false
  query.mockImplementation(function (this: pg.Client, ...sent: unknown[]) {
    if (hasFailed || !/select 1 from bot_guards/.test(textOf(sent[0])))
      return Reflect.apply(original, this, sent) as never
    hasFailed = true
    return Promise.reject(Object.assign(new Error('the node is lost'), { code: '40001' })) as never
  } as never)
  for (let hour = 0; hour < 500 && (await statusOf(id)) !== 'stopped'; hour += 1)
    await world.hours(1)
  query.mockRestore()
  expect(hasFailed).toBe(true)
  expect(await statusOf(id)).toBe('stopped')
  await user.call('deleteBot', { params: { id } })
  await rest()
})

test('guards that are set later are watched from the next hour on', async () => {
  const { id } = await makeBot('Guarded')
  await world.hours(2)
  await user.call('updateBot', { params: { id }, body: { guards: { stopLossPercent: 1 } } })
  for (let hour = 0; hour < 500 && (await statusOf(id)) !== 'stopped'; hour += 1)
    await world.hours(1)
  expect(await statusOf(id)).toBe('stopped')
  await rest()
  expect(await recompute(world.context.sql)).toEqual([])
})
