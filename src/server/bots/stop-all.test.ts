import { expect, test } from 'vitest'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import type { Venue } from '#server/ports/venue.ts'
import { paperVenue } from '#server/trading/venue-paper.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

/**
 * If `press` is set, runs it while the order with this number, counted from 1, is being executed.
 * `sent`: the sides of all orders since then.
 */
function pressedVenue(
  at: number,
): Venue & { press: (press: () => Promise<void>) => void; sent: string[] } {
  const venue = paperVenue(VENUE_COSTS.binance)
  let press: (() => Promise<void>) | undefined
  const sent: string[] = []
  return {
    ...venue,
    sent,
    press: (given) => void (press = given),
    execute: async (order, lead) => {
      if (press) sent.push(order.side)
      if (sent.length === at) await press?.()
      return venue.execute(order, lead)
    },
  }
}

test.each([1, 2])(
  'stop-all while order %i is under way: only sales that close bots follow its answer',
  async (order) => {
    const venue = pressedVenue(order)
    const world = await createWorld({ context: { venue } })
    try {
      const hold = async (who: TestUser, pairs: readonly string[]) => {
        await who.deposit('1000')
        for (const pair of pairs)
          await who.call('createBot', {
            body: { name: pair, strategy: 'hold', tradingPairs: [pair], investmentAmount: '100' },
          })
      }
      // Another user founds two pools first. A bot that founds a third buys in the first phase of a
      // tick; bots that join the first two buy in its last phase.
      await hold(await world.user(), ['BTC/USDT', 'SOL/USDT'])
      await world.hours(1)
      const user = await world.user()
      await hold(user, ['ETH/USDT', 'BTC/USDT', 'SOL/USDT'])
      let sentBefore = Number.POSITIVE_INFINITY
      let planned = ''
      let closed = Promise.resolve()
      venue.press(async () => {
        // 'Stop all' is committed while the order is being executed; its answer arrives once that
        // order is settled.
        closed = user.call('stopAll').then(() => void (sentBefore = venue.sent.length))
        await isCommitted()
        const [row] = await world.context.sql<
          { last: string }[]
        >`select max(id::text) as last from engine_blocks`
        planned = row?.last ?? ''
      })
      const isCommitted = async (): Promise<void> => {
        const [row] = await world.context.sql<
          { open: number }[]
        >`select count(*)::integer as open from trading_bots where user_id = ${user.id}
          and status <> 'closing'`
        if (row?.open !== 0) await isCommitted()
      }
      await world.hours(2)
      await closed
      await world.hours(3)
      await world.serve()
      expect(venue.sent.length).toBeGreaterThan(sentBefore)
      expect(venue.sent.slice(sentBefore).filter((side) => side === 'buy')).toEqual([])
      const later = await world.context.sql<{ side: string; as: string }[]>`
      select b.side, p ->> 'as' as "as" from engine_blocks b cross
        join lateral jsonb_array_elements(b.parties) p where b.id::text > ${planned}`
      expect(
        later.filter(({ side, as }) => side === 'buy' || (as !== 'leave' && as !== 'own')),
      ).toEqual([])
      expect(await user.call('listBots')).toEqual([])
      expect(await reconcile(world.context)).toEqual([])
    } finally {
      await world.close()
    }
  },
)

async function invest(world: World, strategy: string, pair: string): Promise<TestUser> {
  const user = await world.user()
  await user.deposit('100')
  const body = { name: 'One', strategy, tradingPairs: [pair], investmentAmount: '100' }
  await user.call('createBot', { body })
  return user
}

test.each([
  { strategy: 'hold', pair: 'BTC/USDT', count: 1 },
  { strategy: 'hold', pair: 'ETH/USDT', count: 0 },
  { strategy: 'balanced', pair: 'BTC/USDT', count: 0 },
])(
  'stop-all of bots with BTC answers while an order of $strategy on $pair hangs: $count',
  async ({ strategy, pair, count }) => {
    const venue = pressedVenue(1)
    const world = await createWorld({ context: { venue } })
    try {
      const user = await invest(world, 'hold', 'BTC/USDT')
      if (count === 0) {
        await world.hours(2)
        await invest(world, strategy, pair)
      }
      let underWay: number | undefined
      venue.press(async () => void (underWay = (await user.call('stopAll')).ordersUnderWay))
      await world.hours(2)
      await world.serve()
      expect(underWay).toBe(count)
      expect(venue.sent).toEqual(['buy', 'sell'])
      expect(await user.call('listBots')).toEqual([])
    } finally {
      await world.close()
    }
  },
)

test('stop-all does not count an order that was planned before the bot existed', async () => {
  const venue = pressedVenue(1)
  const world = await createWorld({ context: { venue } })
  try {
    await invest(world, 'hold', 'BTC/USDT')
    let underWay: number | undefined
    venue.press(async () => {
      const late = await invest(world, 'hold', 'BTC/USDT')
      underWay = (await late.call('stopAll')).ordersUnderWay
    })
    await world.hours(2)
    expect(underWay).toBe(0)
    expect(venue.sent).toEqual(['buy'])
  } finally {
    await world.close()
  }
})
