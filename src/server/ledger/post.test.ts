import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOUSE } from '#core/ledger/account.ts'
import {
  blockSettled,
  botFunded,
  botReturned,
  depositCredited,
  venueFunded,
  withdrawalHeld,
} from '#core/ledger/movements.ts'
import type { Movement } from '#core/ledger/transfer.ts'
import type { OpenBook } from '#server/db/book.ts'
import { createTestBook, type TestDatabase } from '../../../test/world/database.ts'
import { openAccounts, post, postAll, type Posted, type Transfer } from './post.ts'
import { lockCashAndDebt } from './read.ts'

let database: TestDatabase & OpenBook

beforeEach(async () => {
  database = await createTestBook({ poolSize: 24 })
})
afterEach(() => database.drop())

async function addUser(): Promise<string> {
  const id = randomUUID()
  await database.sql`insert into users (id, username, password, first_name, last_name)
    values (${id}, ${id}, '', 'Ada', 'Byron')`
  await openAccounts(database.sql, id)
  return id
}

const transferOf = (movement: Movement, rest: Partial<Transfer> = {}): Transfer => ({
  id: randomUUID(),
  dedupKey: randomUUID(),
  movement,
  eventTime: new Date(0),
  ...rest,
})
const book = (...transfers: Transfer[]): Promise<Posted[]> =>
  database.atomically((tx) => postAll(tx, transfers))
const deposit = (userId: string, amount: bigint, dedupKey: string = randomUUID()): Transfer =>
  transferOf(depositCredited({ userId, amount }), { userId, dedupKey })

async function balances(userId: string): Promise<Record<string, bigint>> {
  const rows = await database.sql<{ name: string; balance: bigint }[]>`
    select code || coalesce(':' || pool, '') || case asset when 'USD' then ''
           else ' ' || asset end as name, balance
      from ledger_accounts where user_id = ${userId} and balance <> 0 order by 1`
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
}

test('a transfer moves balances once, however often its dedup key is posted', async () => {
  const userId = await addUser()
  const first = deposit(userId, 700n, 'deposit:1')
  expect(await book(first)).toEqual(['posted'])
  expect(await book({ ...first, id: randomUUID() })).toEqual(['already-posted'])
  expect(await book(first)).toEqual(['already-posted'])
  expect(await balances(userId)).toEqual({ 'customer:cash': 700n, 'card:clearing': -700n })
})

test('a dedup key posted again with other entries is a bug, and books nothing', async () => {
  const userId = await addUser()
  await book(deposit(userId, 700n, 'deposit:1'))
  await expect(book(deposit(userId, 701n, 'deposit:1'))).rejects.toThrow(
    'deposit:1 was booked before with other entries',
  )
  expect(await balances(userId)).toEqual({ 'customer:cash': 700n, 'card:clearing': -700n })
})

test('the same dedup key of two users posts two transfers', async () => {
  const [ada, bob] = [await addUser(), await addUser()]
  expect(await book(deposit(ada, 5n, 'same'), deposit(bob, 7n, 'same'))).toEqual([
    'posted',
    'posted',
  ])
  expect([await balances(ada), await balances(bob)]).toEqual([
    { 'customer:cash': 5n, 'card:clearing': -5n },
    { 'customer:cash': 7n, 'card:clearing': -7n },
  ])
})

test('one statement posts transfers of a thousand users, with a result for each', async () => {
  const users = await Promise.all(Array.from({ length: 1_000 }, addUser))
  const deposits = users.map((userId) => deposit(userId, 1_000n))
  expect(new Set(await book(...deposits.slice(0, 400)))).toEqual(new Set(['posted']))
  const answers = await book(...deposits)
  expect([answers.slice(0, 400), answers.slice(400)].map((part) => [...new Set(part)])).toEqual([
    ['already-posted'],
    ['posted'],
  ])
  await book(...users.map((userId) => transferOf(botFunded({ userId, amount: 900n }), { userId })))
  await book(
    ...users.map((userId) =>
      transferOf(botReturned({ userId, amount: 950n, fee: 7n }), { userId }),
    ),
  )
  const [totals] = await database.sql`
      select count(distinct user_id) filter (where code = 'customer:cash' and balance = 1043)
             as customers, sum(balance) filter (where code = 'fees:income') as fees
        from ledger_accounts`
  expect(totals).toEqual({ customers: 1_000n, fees: '7000' })
  expect(
    await database.sql`select balance from ledger_control where code = 'bots' and asset = 'USD'`,
  ).toEqual([{ balance: -50_000n }])
})

test('if one of many transfers is refused, all of them are', async () => {
  const [ada, bob] = [await addUser(), await addUser()]
  await book(deposit(ada, 10n))
  const hold = (userId: string) => transferOf(withdrawalHeld({ userId, amount: 10n }), { userId })
  await expect(book(hold(ada), hold(bob))).rejects.toMatchObject({ code: 'insufficient-balance' })
  expect(await balances(ada)).toEqual({ 'customer:cash': 10n, 'card:clearing': -10n })
})

test('accounts that two transfers need at the same time are opened once', async () => {
  const userId = await addUser()
  await Promise.all(Array.from({ length: 20 }, () => book(deposit(userId, 5n))))
  expect(await balances(userId)).toEqual({ 'customer:cash': 100n, 'card:clearing': -100n })
  const many = await Promise.all(Array.from({ length: 40 }, addUser))
  const batch = (amount: bigint, order: readonly string[]) =>
    book(...order.map((id) => deposit(id, amount)))
  await Promise.all([
    batch(1n, many),
    batch(2n, many.toReversed()),
    batch(3n, many.toSorted()),
    batch(4n, many.toSorted().toReversed()),
  ])
  for (const id of many)
    expect(await balances(id)).toEqual({ 'customer:cash': 10n, 'card:clearing': -10n })
})

test("locking a user's cash and debt and opening the same accounts do not deadlock", async () => {
  const users = await Promise.all(Array.from({ length: 10 }, addUser))
  await book(...users.map((userId) => deposit(userId, 1_000n)))
  const alone = (userId: string) =>
    database.atomically(async (tx) => {
      await lockCashAndDebt(tx.sql, userId)
      await post(tx, transferOf(botReturned({ userId, amount: 10n, fee: 1n }), { userId }))
    })
  const together = () =>
    book(
      ...users.map((userId) =>
        transferOf(botReturned({ userId, amount: 10n, fee: 1n }), { userId }),
      ),
    )
  await Promise.all([together(), ...users.map(alone), together()])
  for (const id of users)
    expect(await balances(id)).toEqual({
      'customer:cash': 1_027n,
      'card:clearing': -1_000n,
      bots: -30n,
      'fees:income': 3n,
    })
})

test('pools have accounts of the house, by pool number', async () => {
  await book(transferOf(venueFunded({ amount: 1_000n })))
  const settled = blockSettled({
    base: 'BTC',
    paid: { cash: 105n, coins: -9n },
    by: 'venue',
    own: { cash: 0n, coins: 0n },
    pools: [
      { pool: 1, cash: -60n, coins: 5n },
      { pool: 3, cash: -40n, coins: 3n },
    ],
  })
  await expect(book(transferOf(settled))).rejects.toMatchObject({ code: 'insufficient-balance' })
  await book(
    transferOf(
      blockSettled({
        base: 'BTC',
        paid: { cash: 0n, coins: 0n },
        by: 'house',
        own: { cash: -200n, coins: 0n },
        pools: [1, 3].map((pool) => ({ pool, cash: 100n, coins: 0n })),
      }),
    ),
  )
  await book(transferOf(settled))
  expect(await balances(HOUSE)).toEqual({
    bank: 1_000n,
    venue: -895n,
    'venue BTC': -9n,
    bots: -200n,
    'pool:1': 40n,
    'pool:3': 60n,
    'pool:1 BTC': 5n,
    'pool:3 BTC': 3n,
    rounding: -5n,
    'rounding BTC': 1n,
  })
})

test("a transfer cannot touch another user's accounts; an unknown user has none", async () => {
  const [ada, bob] = [await addUser(), await addUser()]
  await expect(book({ ...deposit(ada, 5n), userId: bob })).rejects.toThrow(
    'deposit touches card:clearing of somebody else',
  )
  await expect(book(transferOf(depositCredited({ userId: ada, amount: 5n })))).rejects.toThrow(
    'deposit touches card:clearing of somebody else',
  )
  await expect(book({ ...transferOf(venueFunded({ amount: 5n })), userId: ada })).rejects.toThrow(
    'venue-funded touches venue of somebody else',
  )
  await expect(book(deposit(randomUUID(), 5n))).rejects.toThrow('do not sum to zero in USD')
  await expect(book(transferOf(withdrawalHeld({ userId: HOUSE, amount: 5n })))).rejects.toThrow(
    'withdrawal-hold names an account that does not exist',
  )
  expect(await database.sql`select from ledger_transfers`).toHaveLength(0)
})
