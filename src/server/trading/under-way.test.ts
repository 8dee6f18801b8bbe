import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS } from '#core/trading/costs.ts'
import { createRisingWorld } from '../../../test/small-book.ts'
import type { TestUser, World } from '../../../test/world.ts'
import { paperVenue } from './venue-paper.ts'

/** What people do once, while an order of many is at the venue. */
let meanwhile: (() => Promise<unknown>) | undefined

const paper = paperVenue(DEFAULT_COSTS)
let world: World
let user: TestUser
beforeAll(async () => {
  world = await createRisingWorld({
    venue: {
      ...paper,
      execute: async (order, lead) => {
        const now = meanwhile
        meanwhile = undefined
        await now?.()
        return paper.execute(order, lead)
      },
    },
  })
  user = await world.user()
  await user.deposit('900')
})
afterAll(() => world.close())

const create = async (name: string) => (await user.call('createBot', { body: { name, riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount: '300' } })).id
const orders = () => world.context.sql<{ bots: number; shares: string[] }[]>`
  select b.bots, array(select bot_id::text from bot_trades t where t.block_id = b.id order by bot_id) as shares from engine_blocks b order by b.id`

test('who comes while an order is at the venue has no share of it, who pauses has: from the next order on it counts', async () => {
  const first = await create('First')
  let second = ''
  meanwhile = async () => {
    second = await create('Second')
    await user.call('updateBot', { params: { id: first }, body: { isActive: false } })
  }
  await world.serve()
  expect(await orders()).toEqual([{ bots: 1, shares: [first] }])
  await world.serve()
  expect((await orders()).slice(1)).toEqual([{ bots: 1, shares: [second] }])
})
