import { onTestFinished, expect, test } from 'vitest'
import { createWorld, type World } from '../../../test/world.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import type { Venue } from '#server/ports/venue.ts'
import { paperVenue } from './venue-paper.ts'

const FEED = { ...simulatedFeed({ seed: 7 }), beginMs: () => Date.UTC(2025, 0, 1) }
const COSTS = { feeBps: 10, halfSpreadBps: 2, slippageBps: 3 }
const PAIR = 'BTC/USDT'

async function openBook(venue: Venue): Promise<World> {
  const world = await createWorld({ feed: FEED, context: { venue } })
  onTestFinished(() => world.close())
  await invest(world, '5000')
  await world.hours(1)
  return world
}

async function invest(world: World, investmentAmount: string): Promise<void> {
  const user = await world.user()
  await user.deposit(investmentAmount)
  await user.call('createBot', { body: { name: 'Bot', riskLevel: 'aggressive', tradingPairs: [PAIR], investmentAmount } })
}

async function tradesOf({ context: { sql } }: World): Promise<number[]> {
  const rows = await sql<{ at: Date }[]>`
    select c.market_time as at from pool_changes c join pools p on p.id = c.pool where p.pair = ${PAIR} and c.kind = 'trade' order by c.id`
  return rows.map(({ at }) => at.getTime())
}

test('a lot that the venue refuses just before a whole hour does not delay the trade of the strategy', async () => {
  const alone = await openBook(paperVenue(COSTS))
  await alone.hours(24 * 20)
  const tradeMs = (await tradesOf(alone)).at(-1) ?? 0
  expect(tradeMs % HOUR_MS).toBe(0)

  let isClosed = false
  const paper = paperVenue(COSTS)
  const world = await openBook({ ...paper, accepts: async (order) => (isClosed ? 'closed' : paper.accepts(order)) })
  await world.engine.advanceTo(tradeMs - 30_000)
  isClosed = true
  await invest(world, '50')
  await world.serve()
  isClosed = false
  await world.engine.advanceTo(tradeMs)
  expect(await tradesOf(world)).toContain(tradeMs)
})
