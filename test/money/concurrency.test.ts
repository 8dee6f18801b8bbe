import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Pair } from '#core/market/pair.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { lengthOf } from '../world/length.ts'
import { randomFrom, SEED } from '../world/random.ts'
import { createWorld, feedOfSeed, TEST_CARD, type TestUser, type World } from '../world/world.ts'

const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT']
const OVERDRAWS = lengthOf({ usual: 2, full: 20 })
const RACES = lengthOf({ usual: 40, full: 200 })
const RECONCILED_EVERY = 20

let world: World
beforeAll(async () => {
  const feed = { ...feedOfSeed(SEED), pairs: PAIRS }
  world = await createWorld({ feed, config: { INTENTS_PER_HOUR: 1_000_000 }, servers: 8 })
})
afterAll(() => world.close())

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))
const BOT = { name: 'Racer', riskLevel: 'aggressive', tradingPairs: PAIRS, investmentAmount: '30' }

/** Total of a user's cash, hold and bots in the ledger, in units. */
async function ownedBy({ id }: TestUser): Promise<bigint> {
  const [row] = await world.context.sql<{ owned: bigint }[]>`
    select sum(balance)::bigint as owned from ledger_accounts where user_id = ${id}
       and code in ('customer:cash', 'customer:hold', 'customer:receivable', 'bots')`
  return row?.owned ?? 0n
}

test(`64 concurrent withdrawals succeed up to the balance, ${OVERDRAWS} times`, async () => {
  const random = randomFrom(SEED)
  for (let round = 0; round < OVERDRAWS; round += 1) {
    const user = await world.user()
    await user.addBankAccount()
    const [balance, amount] = [200 + random.below(800), 10 + random.below(40)]
    await user.deposit(`${balance}`)
    const body = { amount: `${amount}` }
    const proofs: string[] = []
    for (let index = 0; index < 64; index += 1)
      proofs.push(await user.prove('requestWithdrawal', { body }))
    const answers = await Promise.all(
      proofs.map((proof) => user.ask('requestWithdrawal', { body, proof })),
    )
    const fits = Math.min(64, Math.floor(balance / amount))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(fits)
    const refused = answers
      .filter(({ status }) => status !== 201)
      .map(({ status, body }) => `${status} ${body.code}`)
    expect(refused).toEqual(times(64 - fits, () => '422 withdrawal-above-available'))
    expect(await user.call('getUser')).toMatchObject({
      availableBalance: `${balance - fits * amount}.00`,
      heldBalance: `${fits * amount}.00`,
    })
  }
  expect(await reconcile(world.context)).toEqual([])
})

test(`concurrent actions preserve the total of a user, ${RACES} times`, async () => {
  const user = await world.user()
  await user.addBankAccount()
  const statuses = new Set<number>()
  for (let round = 1; round <= RACES; round += 1) {
    await user.deposit('100')
    const [oldest] = (await user.call('listBots')).slice(-1)
    const proof = await user.prove('requestWithdrawal', { body: { amount: '60' } })
    const answers = await Promise.all([
      user.ask('requestWithdrawal', { body: { amount: '60' }, proof }),
      user.ask('createBot', { body: BOT }),
      user.ask('createBot', { body: { ...BOT, investmentAmount: '45' } }),
      oldest ? user.ask('deleteBot', { params: { id: oldest.id } }) : undefined,
      world.hours(1),
    ])
    for (const answer of answers) if (answer) statuses.add(answer.status)
    await world.serve()
    expect(await conservation(user), `round ${round}`).toEqual({
      missing: 0n,
      unexplained: 0n,
      overdrawn: 0,
    })
    if (round % RECONCILED_EVERY === 0)
      expect(await reconcile(world.context), `round ${round}`).toEqual([])
  }
  expect([...statuses].sort()).toEqual([200, 201, 422])
  await user.call('stopAll')
  await world.serve()
  expect(await user.call('listBots')).toEqual([])
  expect(await reconcile(world.context)).toEqual([])
})

/**
 * A user's deposits must equal cash, holds, bots and paid fees, and the money in bots must equal
 * the money put into them plus the results of their stays in pools.
 */
async function conservation({
  id,
}: TestUser): Promise<{ missing: bigint; unexplained: bigint; overdrawn: number }> {
  const [row] = await world.context.sql<
    { missing: bigint; unexplained: bigint; overdrawn: number }[]
  >`
    with mine as (select * from ledger_accounts where user_id = ${id}),
         bots as (select coalesce(sum(balance), 0) as given from mine where code = 'bots')
    select ((select sum(received) from payment_intents where user_id = ${id})
          - (select sum(balance) from mine where code like 'customer:%' or code = 'bots')
          - (select coalesce(sum(fee_amount), 0) from platform_fees where user_id = ${id}))::bigint
          as missing,
           ((select given from bots) + (select coalesce(sum(cash_out - paid), 0) from sleeve_stays
           where user_id = ${id})
          - (select coalesce(sum(cash + taken + paid), 0) from sleeves where user_id = ${id})
          - (select coalesce(sum(pending), 0) from trading_bots where user_id = ${id}))::bigint
          as unexplained,
           (select count(*)::integer from mine where balance < 0 and not may_be_negative)
           as overdrawn`
  return row ?? { missing: -1n, unexplained: -1n, overdrawn: -1 }
}

test('32 concurrent requests with one idempotency key create one bot, and agree', async () => {
  const user = await world.user()
  await user.deposit('1000')
  const answers = await Promise.all(
    times(32, () => user.ask('createBot', { body: BOT, key: 'one-attempt' })),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  expect(await user.call('listBots')).toHaveLength(1)
  expect((await user.call('getUser')).availableBalance).toBe('970.00')
})

test('a deposit confirmed 64 times concurrently, and again, is credited once', async () => {
  const user = await world.user()
  const { clientSecret, paymentIntentId } = await user.call('createPaymentIntent', {
    body: { amount: '123.45' },
  })
  await user.call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
  const confirm = () => user.ask('confirmDeposit', { body: { paymentIntentId, amount: '99999' } })
  const answers = [...(await Promise.all(times(64, confirm))), await confirm(), await confirm()]
  expect(
    new Set(answers.map(({ status, body }) => `${status} ${body.amount} ${body.transactionId}`))
      .size,
  ).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await ownedBy(user)).toBe(12_345_000_000n)
  expect((await user.call('listTransactions')).items).toHaveLength(1)
  expect(await reconcile(world.context)).toEqual([])
})
