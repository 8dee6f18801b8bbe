import { afterEach, beforeEach, expect, test } from 'vitest'
import { reconcile } from '#server/ledger/reconcile.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

const BOT = { name: 'Bot', riskLevel: 'moderate', tradingPairs: ['BTC/USDT'] }

let world: World
let large: TestUser
let small: TestUser
let smallBot: string

beforeEach(async () => {
  world = await createWorld()
  ;[large, small] = [await world.user(), await world.user()]
  for (const user of [large, small]) await user.deposit('1000')
  await large.call('createBot', { body: { ...BOT, investmentAmount: '1000' } })
  const bot = await small.call('createBot', { body: { ...BOT, investmentAmount: '1' } })
  smallBot = bot.id
  await world.serve()
})

afterEach(() => world.close())

/** Takes 99 percent out until what is left is less than a unit of money and of coins. */
async function shrink(): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    await small.call('takeOutOfBot', { params: { id: smallBot }, body: { percent: 99 } })
    await world.hours(1)
  }
}

test('a share that is worth less than a unit of money is taken out like any other', async () => {
  await shrink()
  expect(await small.call('listBots')).toMatchObject([{ takingOutPercent: null }])
  expect(await reconcile(world.context)).toEqual([])
})

test('a bot whose share is worth less than a unit can be paused, resumed and closed', async () => {
  await shrink()
  for (const isActive of [false, true]) {
    await small.call('updateBot', { params: { id: smallBot }, body: { isActive } })
    await world.serve()
  }
  await small.call('deleteBot', { params: { id: smallBot } })
  await world.serve()
  expect(await small.call('listBots')).toEqual([])
  expect(await reconcile(world.context)).toEqual([])
})

test('units of an empty pool without a bot are ended; the pool is founded again', async () => {
  const { sql } = world.context
  await sql`update pools set units = 5 where pair = 'ETH/USDT' and strategy = 'trend-moderate'`
  const body = { ...BOT, tradingPairs: ['ETH/USDT'], investmentAmount: '100' }
  await small.call('createBot', { body })
  await world.serve()
  const [pool] = await sql<{ units: bigint; cash: bigint }[]>`
    select units, cash from pools where pair = 'ETH/USDT' and strategy = 'trend-moderate'`
  expect(pool?.cash).toBeGreaterThan(0n)
  expect(await reconcile(world.context)).toEqual([])
})

test('all units of an empty pool are ended, also if their bot is pausing or leaving', async () => {
  const { sql } = world.context
  await sql`update pools set cash = 0, base = 0 where pair = 'BTC/USDT'
    and strategy = 'trend-moderate'`
  await large.call('stopAll')
  await small.call('updateBot', { params: { id: smallBot }, body: { isActive: false } })
  await world.serve()
  const rows = await sql<
    { status: string; units: string }[]
  >`select status, units::text from sleeves order by status`
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { status: 'out', units: '0' },
    { status: 'paused', units: '0' },
  ])
  expect(await large.call('listBots')).toEqual([])
})
