import { expect, onTestFinished, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { bookOn } from '#server/db/book.ts'
import type { Sql } from '#server/db/open.ts'
import { queriesOver } from '#server/db/statement.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { openEngine } from '#server/trading/engine.ts'
import { lengthOf } from '../world/length.ts'
import { createWorld, feedOfSeed, type World } from '../world/world.ts'
import { tradedTwice } from './account-for.ts'

const TAKEOVERS = lengthOf({ usual: 4, full: 12 })
/**
 * Hours that the old leader trades before each statement of the new one: enough for its strategies
 * to change exposures.
 */
const HOURS = 6
const FEED = feedOfSeed(7)

async function openBook(): Promise<World> {
  const world = await createWorld({ feed: FEED })
  onTestFinished(() => world.close())
  const user = await world.user()
  await user.deposit('10000')
  for (const riskLevel of ['conservative', 'moderate', 'aggressive']) {
    await user.call('createBot', {
      body: { name: riskLevel, riskLevel, tradingPairs: PAIRS, investmentAmount: '3000' },
    })
  }
  await world.hours(1)
  return world
}

/** The same pool, but with `work` before each statement outside of transactions. */
function interrupted(sql: Sql, work: () => Promise<void>): Sql {
  const queries = queriesOver(async (sent) => {
    await work()
    return sql.send(sent)
  })
  return Object.assign(queries, { url: sql.url, begin: sql.begin, end: sql.end })
}

async function marketTimeOf({ context: { sql } }: World): Promise<number> {
  const [clock] = await sql<{ marketTime: Date }[]>`select market_time from market_clock`
  return clock?.marketTime.getTime() ?? 0
}

test(`no hour is traded twice by an old and a new leader, ${TAKEOVERS} times`, async () => {
  const world = await openBook()
  const { context } = world
  let leader = world.engine
  let seenMs = await marketTimeOf(world)
  const wentBack: string[] = []
  const look = async () => {
    const nowMs = await marketTimeOf(world)
    if (nowMs < seenMs)
      wentBack.push(`${new Date(seenMs).toISOString()} to ${new Date(nowMs).toISOString()}`)
    seenMs = nowMs
  }
  for (let takeover = 0; takeover < TAKEOVERS; takeover += 1) {
    const old = leader
    let settled = 0
    const tradeOn = async () => {
      const stillLeads = await old
        .advanceTo(old.nowMs() + HOURS * HOUR_MS)
        .then(() => true, wasDeposed)
      if (stillLeads) settled += HOURS
      await look()
    }
    leader = await openEngine({
      ...context,
      ...bookOn(interrupted(context.sql, tradeOn), context.seals),
    })
    await look()
    expect(settled, 'hours that the old leader settled during the takeover').toBeGreaterThan(0)
    await expect(old.advanceTo(old.nowMs() + HOUR_MS)).rejects.toThrow(
      'another engine has taken the lead',
    )
    await leader.advanceTo(leader.nowMs() + HOURS * HOUR_MS)
    await look()
  }
  const twice = await tradedTwice(context.sql)
  expect(
    { wentBack, twice },
    'market time that went back, and trades of one pool in one hour',
  ).toEqual({ wentBack: [], twice: [] })
  const [made] = await context.sql<
    { count: number }[]
  >`select count(*)::integer as count from pool_changes where kind = 'trade'`
  expect(made?.count).toBeGreaterThan(TAKEOVERS)
  expect(await reconcile(context)).toEqual([])
})

/** Returns whether the engine has lost the lead; rethrows any other error. */
function wasDeposed(error: unknown): false {
  expect(String(error)).toContain('another engine has taken the lead')
  return false
}

test('an engine on another market is refused, and the leader keeps the lead', async () => {
  const world = await openBook()
  const { context, engine } = world
  const stranger = openEngine({ ...context, feed: { ...FEED, identity: 'simulated:another' } })
  await expect(stranger).rejects.toThrow(StartupError)
  await expect(stranger).rejects.toThrow(
    `This database follows the market ${FEED.identity}, not simulated:another: bots cannot be ` +
      'moved to other prices.',
  )
  const beforeMs = engine.nowMs()
  await engine.advanceTo(beforeMs + HOUR_MS)
  expect(await marketTimeOf(world)).toBe(beforeMs + HOUR_MS)
})
