import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runPlans } from './run-plans.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { createBotOwner, createRisingWorld, STEADY_BOT } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

const WEEK_HOURS = 168

let world: World
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

const BOT = {
  ...STEADY_BOT,
  strategy: 'hold',
  riskLevel: 'aggressive',
  tradingPairs: ['BTC/USDT'],
}

/** A user with a bot of $200, `cash`, and a plan that is due now. */
async function saver({
  cash = '1000',
  ...plan
}: { cash?: string; amount?: string; every?: 'week' | 'month'; takeAbove?: string } = {}): Promise<{
  user: TestUser
  id: string
}> {
  const { user, id } = await createBotOwner(world, '200', BOT)
  await user.deposit(cash)
  await world.serve()
  await user.call('setPlan', {
    params: { id },
    body: { amount: '100', every: 'week', starts: 'now', ...plan },
  })
  return { user, id }
}
/**
 * Serves plans and bots. `weeks`: moves the dates of the plan back by this many weeks, because the
 * market of this world has few hours.
 */
const serve = async ({ id = '', weeks = 0 } = {}) => {
  if (weeks > 0)
    await world.context
      .sql`update bot_plans set start_at = start_at - ${`${weeks * 7} days`}::interval,
        due_at = due_at - ${`${weeks * 7} days`}::interval where bot_id = ${id}`
  await runPlans(world.context)
  await world.serve()
}
const botOf = async (user: TestUser, id: string) =>
  (await user.call('listBots')).find((bot) => bot.id === id)
const availableOf = async (user: TestUser) => (await user.call('getUser')).availableBalance
const historyOf = async (user: TestUser) =>
  (await user.call('listTransactions', { query: { type: 'transfer' } })).items.map(
    ({ description, amount }) => [description, amount],
  )
const runsOf = async (id: string) =>
  (
    await world.context.sql<
      { outcome: string; period: number }[]
    >`select outcome, period from bot_plan_runs where bot_id = ${id} order by period`
  ).map(({ outcome, period }) => [outcome, period])
const skippedOf = async (user: TestUser) =>
  (await user.call('listNotices')).items.filter(({ kind }) => kind === 'plan-short')
const setPlan = (user: TestUser, id: string, plan: object, key?: string) =>
  user.ask('setPlan', {
    params: { id },
    body: { amount: '100', every: 'week', ...plan },
    ...(key && { key }),
  })

test('a plan adds its sum at once and every week of market time, once each', async () => {
  const { user, id } = await saver()
  await serve()
  await serve()
  expect(await botOf(user, id)).toMatchObject({
    investmentAmount: '300.00',
    plan: { amount: '100.00', every: 'week', takeAbove: null, isShort: false },
  })
  expect(await availableOf(user)).toBe('900.00')
  await world.hours(WEEK_HOURS - 1)
  await serve()
  expect(await availableOf(user)).toBe('900.00')
  await world.hours(1)
  await serve()
  await serve()
  expect(await availableOf(user)).toBe('800.00')
  expect(await historyOf(user)).toEqual([
    ['Added to bot Steady by plan', '-100.00'],
    ['Added to bot Steady by plan', '-100.00'],
    ['Invested in bot Steady', '-200.00'],
  ])
  expect(await reconcile(world.context)).toEqual([])
})

test('a plan that starts with its next period adds nothing before', async () => {
  const user = await world.user()
  await user.deposit('300')
  const { id, plan } = await user.call('createBot', {
    body: { ...BOT, plan: { amount: '50', every: 'month', takeAbove: '1000' } },
  })
  const now = world.context.market.now()
  expect(plan).toMatchObject({ amount: '50.00', every: 'month', takeAbove: '1000.00' })
  expect(new Date(plan?.nextAt ?? 0).getUTCDate()).toBe(now.getUTCDate())
  await serve()
  expect(await availableOf(user)).toBe('100.00')
  expect(
    await user.ask('createBot', { body: { ...BOT, plan: { amount: '0.99', every: 'month' } } }),
  ).toMatchObject({ status: 422, body: { code: 'bot-amount-invalid' } })
  expect(await runsOf(id)).toEqual([])
})

test('if cash is short, no money moves, one notice is sent, and the plan continues', async () => {
  const { user, id } = await saver({ cash: '150' })
  await serve()
  await serve({ id, weeks: 1 })
  await serve({ id, weeks: 1 })
  expect(await availableOf(user)).toBe('50.00')
  expect(await botOf(user, id)).toMatchObject({
    investmentAmount: '300.00',
    plan: { isShort: true },
  })
  expect(await skippedOf(user)).toMatchObject([
    { details: { bot: 'Steady', amount: '100.00', botId: id } },
  ])
  await user.deposit('50')
  await serve({ id, weeks: 1 })
  expect(await botOf(user, id)).toMatchObject({
    investmentAmount: '400.00',
    plan: { isShort: false },
  })
  await serve({ id, weeks: 1 })
  expect(await skippedOf(user)).toHaveLength(2)
  expect(await runsOf(id)).toEqual([
    ['added', 0],
    ['short', 1],
    ['short', 2],
    ['added', 3],
    ['short', 4],
  ])
})

test('a bot worth more than its line returns the excess, minus the fee on its profit', async () => {
  const { user, id } = await saver({ takeAbove: '150' })
  const before = Number((await botOf(user, id))?.equity)
  await runPlans(world.context)
  const bps = Math.floor(((before - 150) / before) * 10_000)
  expect(await botOf(user, id)).toMatchObject({
    takingOutPercent: bps / 100,
    plan: { takeAbove: '150.00' },
  })
  expect(await user.ask('topUpBot', { params: { id }, body: { amount: '10' } })).toMatchObject({
    status: 409,
  })
  await world.serve()
  const [[description, amount] = []] = await historyOf(user)
  expect(description).toBe('Taken out of bot Steady by plan')
  expect(Number(amount)).toBeCloseTo((before * bps) / 10_000, 0)
  const after = await botOf(user, id)
  expect(after).toMatchObject({
    takingOutPercent: null,
    investmentAmount: (200 - Math.floor((20_000 * bps) / 10_000) / 100).toFixed(2),
  })
  expect(Number(after?.equity)).toBeCloseTo(150, 0)
  expect(await runsOf(id)).toEqual([['taken', 0]])
  await user.call('takeOutOfBot', { params: { id }, body: { percent: 10 } })
  await world.serve()
  expect((await historyOf(user))[0]?.[0]).toBe('Taken out of bot Steady')
  expect(await reconcile(world.context)).toEqual([])
})

test('a plan waits for a paused bot, a take-out and a frozen user, then serves once', async () => {
  const { user, id } = await saver()
  await user.call('updateBot', { params: { id }, body: { isActive: false } })
  await serve({ id, weeks: 3 })
  expect(await runsOf(id)).toEqual([])
  await user.call('updateBot', { params: { id }, body: { isActive: true } })
  await world.serve()
  await user.call('takeOutOfBot', { params: { id }, body: { percent: 10 } })
  await runPlans(world.context)
  expect(await runsOf(id)).toEqual([])
  await world.serve()
  await world.context
    .sql`update users set frozen_at = now(), frozen_reason = 'test' where id = ${user.id}`
  await serve()
  expect(await runsOf(id)).toEqual([])
  await world.context
    .sql`update users set frozen_at = null, frozen_reason = null where id = ${user.id}`
  await serve()
  await serve()
  expect(await runsOf(id)).toEqual([['added', 0]])
  expect(new Date((await botOf(user, id))?.plan?.nextAt ?? 0).getTime()).toBeGreaterThan(
    world.context.market.now().getTime(),
  )
  await serve({ id, weeks: 1 })
  expect(await runsOf(id)).toEqual([
    ['added', 0],
    ['added', 4],
  ])
})

test('a plan ends with its bot, however the bot is closed', async () => {
  const [one, two] = [await saver(), await saver()]
  await one.user.call('deleteBot', { params: { id: one.id } })
  await two.user.call('stopAll')
  await serve()
  await serve({ id: one.id, weeks: 1 })
  expect(
    await world.context.sql`select from bot_plans where bot_id in (${one.id}, ${two.id})`,
  ).toHaveLength(0)
  expect([await runsOf(one.id), await runsOf(two.id)]).toEqual([[], []])
  expect(await setPlan(one.user, one.id, {})).toMatchObject({ status: 404 })
})

test('a change of the amount keeps the dates; a change of the period restarts them', async () => {
  const { user, id } = await saver()
  await serve()
  const first = (await botOf(user, id))?.plan
  expect((await setPlan(user, id, { amount: '40', takeAbove: '5000' })).body.plan).toEqual({
    ...first,
    amount: '40.00',
    takeAbove: '5000.00',
  })
  const monthly = (await setPlan(user, id, { every: 'month' })).body.plan
  expect(Date.parse(monthly?.nextAt ?? '') - world.context.market.now().getTime()).toBeGreaterThan(
    27 * 86_400_000,
  )
  expect((await user.call('endPlan', { params: { id } })).plan).toBe(null)
  expect((await user.call('endPlan', { params: { id } })).plan).toBe(null)
  await serve({ id, weeks: 9 })
  expect(await availableOf(user)).toBe('900.00')
})

test('a plan of another user, or with a wrong amount or line, is refused', async () => {
  const { user, id } = await saver({ cash: '50', amount: '20' })
  const stranger = await world.user()
  expect(await setPlan(stranger, id, {})).toMatchObject({ status: 404 })
  expect(await stranger.ask('endPlan', { params: { id } })).toMatchObject({ status: 404 })
  expect(await setPlan(user, id, { amount: '0.99' })).toMatchObject({
    status: 422,
    body: { code: 'bot-amount-invalid', field: 'amount' },
  })
  expect(await setPlan(user, id, { takeAbove: '0.99' })).toMatchObject({
    status: 422,
    body: { field: 'takeAbove', message: 'Please enter a worth of at least $1.' },
  })
  expect(await setPlan(user, id, { starts: 'now' })).toMatchObject({
    status: 422,
    body: { code: 'bot-amount-above-available' },
  })
  expect((await botOf(user, id))?.plan).toMatchObject({ amount: '20.00' })
})

test('one press that is sent twice starts one plan, served once', async () => {
  const { user, id } = await saver()
  const press = () => setPlan(user, id, { starts: 'now', amount: '30' }, 'one-press')
  await press()
  await serve()
  await press()
  await serve()
  expect(await availableOf(user)).toBe('970.00')
})

test('of many processes, one serves each period, and no money is lost', async () => {
  const savers = [await saver(), await saver(), await saver({ takeAbove: '150' }), await saver()]
  const [, second, , last] = savers
  await Promise.all([
    ...Array.from({ length: 8 }, () => runPlans(world.context)),
    second?.user.ask('topUpBot', { params: { id: second.id }, body: { amount: '5' } }),
    last?.user.ask('deleteBot', { params: { id: last.id } }),
  ])
  await world.serve()
  const outcomes = await Promise.all(savers.map(({ id }) => runsOf(id)))
  expect(outcomes.slice(0, 3)).toEqual([[['added', 0]], [['added', 0]], [['taken', 0]]])
  expect(await availableOf(savers[0]?.user ?? world.stranger())).toBe('900.00')
  expect(await reconcile(world.context)).toEqual([])
})

test('connections cut while plans are served neither lose nor double a period', async () => {
  const savers: Awaited<ReturnType<typeof saver>>[] = []
  for (let count = 0; count < 6; count += 1) savers.push(await saver())
  const { sql } = world.context
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and state <> 'idle'`
  const served = new AbortController()
  let cuts = 0
  const cutter = (async () => {
    while (!served.signal.aborted) {
      cuts += await cut().then(
        (rows) => rows.length,
        () => 0,
      )
      await delay(3)
    }
  })()
  for (let round = 0; round < 3; round += 1)
    await Promise.all([1, 2].map(() => runPlans(world.context).catch(() => undefined)))
  served.abort()
  await cutter
  await runPlans(world.context)
  await world.serve()
  expect(cuts, 'cut connections').toBeGreaterThan(0)
  for (const { user, id } of savers)
    expect([
      await runsOf(id),
      await availableOf(user),
      (await botOf(user, id))?.investmentAmount,
    ]).toEqual([[['added', 0]], '900.00', '300.00'])
  expect(await reconcile(world.context)).toEqual([])
})
