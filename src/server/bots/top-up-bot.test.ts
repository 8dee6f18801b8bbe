import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { moneySnapshot } from '../../../test/world/money-snapshot.ts'
import { createBotOwner, createRisingWorld, STEADY_BOT } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** A user with a bot of $200, and `cash`. */
const investor = (cash: string) => createBotOwner(world, sum('200', cash))

const sum = (...amounts: string[]): string =>
  unitsToDecimal(
    amounts.reduce((total, amount) => total + (parseDecimal(amount) ?? 0n), 0n),
    2,
  )
const topUp = (user: TestUser, id: string, amount: string, key?: string) =>
  user.ask('topUpBot', { params: { id }, body: { amount }, ...(key && { key }) })
const botOf = async (user: TestUser, id: string) =>
  (await user.call('listBots')).find((bot) => bot.id === id)
const availableOf = async (user: TestUser) => (await user.call('getUser')).availableBalance

/** The amount that waits for the engine, and the cash of the bot's sleeves, by pair. */
async function stored(id: string): Promise<{ pending: bigint; cash: Record<string, bigint> }> {
  const { sql } = world.context
  const [bot] = await sql<{ pending: bigint }[]>`select pending from trading_bots where id = ${id}`
  const sleeves = await sql<{ pair: string; cash: bigint }[]>`
    select p.pair, s.cash from sleeves s join pools p on p.id = s.pool where s.bot_id = ${id}`
  return {
    pending: bot?.pending ?? -1n,
    cash: Object.fromEntries(sleeves.map(({ pair, cash }) => [pair, cash])),
  }
}

test('added money leaves the balance at once, is invested, and is in the history', async () => {
  const { user, id } = await investor('100')
  await world.serve()
  const before = await botOf(user, id)
  const { status, body } = await topUp(user, id, '50.25')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id,
    investmentAmount: '250.25',
    status: 'active',
    takingOutPercent: null,
  })
  expect(body.equity).toBe(sum(before?.equity ?? '', '50.25'))
  expect(await availableOf(user)).toBe('49.75')
  expect(
    (await user.call('listTransactions')).items.filter(({ type }) => type === 'transfer')[0],
  ).toMatchObject({ amount: '-50.25', description: 'Added to bot Steady', status: 'completed' })
  expect(await reconcile(world.context)).toEqual([])
  await world.serve()
  expect((await stored(id)).pending).toBe(0n)
  expect(await reconcile(world.context)).toEqual([])
})

test('a bot that has not started invests the added money together with the first', async () => {
  const { user, id } = await investor('10')
  expect((await topUp(user, id, '10')).status).toBe(200)
  await world.serve()
  expect(await stored(id)).toMatchObject({ pending: 0n })
  expect(await botOf(user, id)).toMatchObject({ investmentAmount: '210.00' })
  expect(await reconcile(world.context)).toEqual([])
})

test('added money enters the market like the money of a new bot', async () => {
  const { user, id } = await investor('1000')
  await world.hours(1)
  const holdings = async () => (await user.call('getBotPerformance', { params: { id } })).holdings
  const before = await holdings()
  await topUp(user, id, '200')
  await world.hours(1)
  for (const { pair, quantity } of await holdings()) {
    const earlier = before.find((holding) => holding.pair === pair)?.quantity ?? '0'
    expect(Number(quantity) / Number(earlier), `more ${pair}`).toBeGreaterThan(1.5)
  }
  expect(await reconcile(world.context)).toEqual([])
})

test('money added to a paused bot waits in cash, split equally, until it is resumed', async () => {
  const { user, id } = await investor('100')
  await world.hours(1)
  await user.call('updateBot', { params: { id }, body: { isActive: false } })
  await world.serve()
  const before = await stored(id)
  expect(await topUp(user, id, '33.33')).toMatchObject({
    status: 200,
    body: { status: 'paused', investmentAmount: '233.33' },
  })
  await world.hours(3)
  const after = await stored(id)
  expect(after.pending).toBe(0n)
  expect(after.cash['BTC/USDT']).toBe((before.cash['BTC/USDT'] ?? 0n) + 1_666_500_000n)
  expect(after.cash['XRP/USDT']).toBe((before.cash['XRP/USDT'] ?? 0n) + 1_666_500_000n)
  await user.call('updateBot', { params: { id }, body: { isActive: true } })
  await world.hours(1)
  expect((await stored(id)).cash['BTC/USDT']).toBeLessThan(after.cash['BTC/USDT'] ?? 0n)
  expect(await reconcile(world.context)).toEqual([])
})

test('the whole balance can be added; too much, too little and no bot are refused', async () => {
  const { user, id } = await investor('20')
  const stranger = await world.user()
  await stranger.deposit('50')
  const before = await moneySnapshot(world.context.sql)
  expect(await topUp(user, id, '0.99')).toMatchObject({
    status: 422,
    body: { code: 'bot-amount-invalid', field: 'amount' },
  })
  expect(await topUp(user, id, '20.01')).toMatchObject({
    status: 422,
    body: { code: 'bot-amount-above-available', field: 'amount' },
  })
  expect(await topUp(user, id, '1.001')).toMatchObject({ status: 400, body: { field: 'amount' } })
  expect(await topUp(stranger, id, '10')).toMatchObject({
    status: 404,
    body: { code: 'not-found' },
  })
  expect(await moneySnapshot(world.context.sql)).toEqual(before)
  expect((await topUp(user, id, '20')).status).toBe(200)
  expect(await availableOf(user)).toBe('0.00')
})

test('nothing can be added to a bot that is closing or closed', async () => {
  const { user, id } = await investor('20')
  await world.serve()
  await user.call('deleteBot', { params: { id } })
  expect(await topUp(user, id, '10')).toMatchObject({ status: 409, body: { code: 'bot-closing' } })
  await world.serve()
  expect(await topUp(user, id, '10')).toMatchObject({ status: 404 })
})

test('of 16 concurrent top-ups exactly as many succeed as the balance covers', async () => {
  const { user, id } = await investor('35')
  const answers = await Promise.all(times(16, () => topUp(user, id, '10')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(answers.filter(({ body }) => body.code === 'bot-amount-above-available')).toHaveLength(13)
  expect(await availableOf(user)).toBe('5.00')
  await world.serve()
  expect(await botOf(user, id)).toMatchObject({ investmentAmount: '230.00' })
  expect(await reconcile(world.context)).toEqual([])
})

test('one key in 16 concurrent requests adds once, and is refused for another bot', async () => {
  const { user, id } = await investor('1000')
  const other = await user.call('createBot', {
    body: { ...STEADY_BOT, name: 'Other', investmentAmount: '10' },
  })
  const answers = await Promise.all(times(16, () => topUp(user, id, '10', 'one-attempt')))
  expect(
    new Set(answers.map(({ status, body }) => `${status} ${body.id} ${body.investmentAmount}`)),
  ).toEqual(new Set([`200 ${id} 210.00`]))
  expect(await availableOf(user)).toBe('980.00')
  expect(await topUp(user, id, '11', 'one-attempt')).toMatchObject({
    status: 422,
    body: { code: 'idempotency-key-reused' },
  })
  expect(await topUp(user, other.id, '10', 'one-attempt')).toMatchObject({
    status: 422,
    body: { code: 'idempotency-key-reused' },
  })
})

test('a top-up and a close, concurrent with trading, lose nothing, 20 times', async () => {
  for (let round = 1; round <= 20; round += 1) {
    const { user, id } = await investor('50')
    if (round % 2 === 0) await world.serve()
    const [added] = await Promise.all([
      topUp(user, id, '50'),
      user.ask('deleteBot', { params: { id } }),
      world.serve(),
    ])
    expect([200, 404, 409], `round ${round}`).toContain(added.status)
    await world.serve()
    expect(await botOf(user, id)).toBeUndefined()
    // Trading costs are small; the added money was either returned or never left the balance.
    expect(Number(await availableOf(user)), `round ${round}`).toBeGreaterThan(248)
    if (round % 5 === 0) expect(await reconcile(world.context), `round ${round}`).toEqual([])
  }
})

test('concurrent top-ups and withdrawals never overdraw and never deadlock', async () => {
  const { user, id } = await investor('100')
  await user.addBankAccount()
  const proofs: string[] = []
  for (let index = 0; index < 8; index += 1)
    proofs.push(await user.prove('requestWithdrawal', { body: { amount: '15' } }))
  const answers = await Promise.all([
    ...times(8, () => topUp(user, id, '15')),
    ...proofs.map((proof) => user.ask('requestWithdrawal', { body: { amount: '15' }, proof })),
    world.serve(),
  ])
  const statuses = answers.flatMap((answer) => (answer ? [answer.status] : []))
  expect(statuses.filter((status) => status < 300)).toHaveLength(6)
  expect(new Set(statuses.filter((status) => status >= 300))).toEqual(new Set([422]))
  expect(await availableOf(user)).toBe('10.00')
  expect(await reconcile(world.context)).toEqual([])
})
