import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import type { Transaction, TransactionQuery } from '#contract/transactions.ts'
import { createRisingWorld, fillSmallBook } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

let world: World
let ada: TestUser
let bob: TestUser
let all: Transaction[]

beforeAll(async () => {
  world = await createRisingWorld()
  const users = await fillSmallBook(world)
  ada = users.ada
  bob = users.bob
  const kept = (await ada.call('listBots')).find(({ name }) => name === 'kept')?.id
  await ada.call('updateBot', { params: { id: kept }, body: { name: 'Ärger 7%_' } })
  all = await history({})
})
afterAll(() => world.close())

async function history(query: TransactionQuery, user = ada): Promise<Transaction[]> {
  const rows: Transaction[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await user.call('listTransactions', {
      query: { ...query, ...(cursor && { cursor }) },
    })
    rows.push(...page.items)
    cursor = page.nextCursor
  }
  return rows
}

const isOf = (name: string) => (row: Transaction) => row.bot?.name === name

test("a bot's rows are its money moves and trades, even once closed", async () => {
  for (const name of ['Ärger 7%_', 'closed', 'paused']) {
    const rows = all.filter(isOf(name))
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['transfer', 'trade']))
    expect(await history({ bot: rows[0]?.bot?.id })).toEqual(rows)
  }
})

test("another user's bot and an unknown one have no rows", async () => {
  const foreign = (await history({}, bob)).find(isOf('closed'))?.bot?.id
  expect([await history({ bot: foreign }), await history({ bot: randomUUID() })]).toEqual([[], []])
})

test('a period begins with its first moment and ends just before the next', async () => {
  const cuts = [all.at(-1), all[Math.floor(all.length / 2)], all[3], all[0]].map(
    (row) => row?.createdAt ?? '',
  )
  for (const [index, from] of cuts.entries()) {
    for (const to of cuts.slice(index)) {
      const rows = all.filter(({ createdAt }) => createdAt >= from && createdAt < to)
      // Rows that differ only in microseconds have the same time in the milliseconds shown.
      expect((await history({ from, to })).length - rows.length).toBeGreaterThanOrEqual(0)
      expect(
        (await history({ from, to })).every(
          ({ createdAt }) => createdAt >= from && createdAt <= to,
        ),
      ).toBe(true)
    }
  }
  expect(await history({ from: '1970-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).toEqual(all)
  expect(await history({ to: '1970-01-01T00:00:00Z' })).toEqual([])
})

const FOUND: [string, (row: Transaction) => boolean][] = [
  ['closed', isOf('closed')],
  ['CLOSED', isOf('closed')],
  ['ärger', isOf('Ärger 7%_')],
  ['7%_', isOf('Ärger 7%_')],
  ['sold btc', ({ description }) => description.startsWith('Sold BTC')],
  ['btc sold closed', (row) => row.description.startsWith('Sold BTC') && isOf('closed')(row)],
  ['xrp/usdt', ({ description }) => / XRP · /.test(description)],
  ['bitcoin', ({ description }) => / BTC · /.test(description)],
  ['Card deposit', ({ type }) => type === 'deposit'],
  ['withdrawal', ({ type }) => type === 'withdrawal'],
  ["' or 1=1 --", () => false],
  ['%', isOf('Ärger 7%_')],
]
test.each(FOUND)('the search %j finds the rows that contain all its words', async (q, isFound) => {
  const rows = all.filter(isFound)
  expect(rows.length > 0).toBe(!q.startsWith("'"))
  expect(await history({ q })).toEqual(rows)
})

test('a search for a bank finds its withdrawals', async () => {
  const rows = all.filter(({ type }) => type === 'withdrawal')
  const bank = /Withdrawal to (.+) ••/.exec(rows[0]?.description ?? '')?.[1] ?? ''
  expect(bank).not.toBe('')
  expect(await history({ q: bank })).toEqual(rows)
})

test('searching for a reference, or its beginning, finds its row', async () => {
  for (const type of ['deposit', 'trade', 'withdrawal', 'transfer'] as const) {
    const row = all.find((one) => one.type === type)
    expect(await history({ q: row?.id })).toEqual([row])
    expect(await history({ q: row?.id.slice(0, 13) })).toContainEqual(row)
  }
})

test.each(['q', 'bot', 'from', 'to'] as const)(
  'any text as %s either filters the rows or is refused under its name',
  async (field) => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 110 }),
      fc.constantFrom(
        '\0',
        '%',
        '\\',
        "'",
        '{}',
        '1e9',
        '0000-00-00T00:00:00Z',
        '~',
        all[0]?.id ?? '',
      ),
    )
    const ids = new Set(all.map(({ id }) => id))
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { status, body } = await ada.ask('listTransactions', { query: { [field]: text } })
        if (status === 200) expect(body.items.every(({ id }) => ids.has(id))).toBe(true)
        else expect([status, body.field]).toEqual([400, field])
      }),
      { numRuns: 60 },
    )
  },
)

test('filters are combined', async () => {
  const bot = all.find(isOf('closed'))?.bot?.id
  const rows = all.filter(
    (row) => row.type === 'trade' && isOf('closed')(row) && row.description.includes('BTC'),
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(await history({ type: 'trade', bot, q: 'btc' })).toEqual(rows)
  expect(await history({ type: 'deposit', bot })).toEqual([])
})

test('a filtered list continues after its last row, even if rows arrive meanwhile', async () => {
  const user = await world.user()
  for (let number = 1; number <= 54; number += 1) await user.deposit(`${number + 10}`)
  const first = await user.call('listTransactions', { query: { q: 'card' } })
  await user.deposit('999')
  const second = await user.call('listTransactions', {
    query: { q: 'card', cursor: first.nextCursor ?? '' },
  })
  expect([...first.items, ...second.items].map(({ amount }) => amount)).toEqual(
    Array.from({ length: 54 }, (_, place) => `${64 - place}.00`),
  )
})

test("a withdrawal's receipt opens by both ids, and shows whether it can be canceled", async () => {
  const requests = await ada.call('listWithdrawals')
  expect(requests.length).toBeGreaterThan(1)
  for (const { id, cancelable } of requests) {
    const receipt = await ada.call('getTransaction', { params: { id } })
    expect(receipt).toMatchObject({
      reference: receipt.transaction.id,
      withdrawal: { id, cancelable },
    })
    expect(await ada.call('getTransaction', { params: { id: receipt.transaction.id } })).toEqual(
      receipt,
    )
    expect((await bob.ask('getTransaction', { params: { id } })).status).toBe(404)
  }
})

test('exports have the rows of one bot and period; balances are still the account’s', async () => {
  const lines = async (name: 'statement' | 'trades', query: object) => {
    const url = `${plainRoutes[name]}?${new URLSearchParams({ ...query }).toString()}`
    const answer = await world.app.inject({ url, headers: { cookie: ada.cookie } })
    return answer.body.trimEnd().split('\n').slice(1)
  }
  const bot = all.find(isOf('closed'))?.bot?.id
  const from = all[Math.floor(all.length / 2)]?.createdAt
  const since = (rows: Transaction[]) =>
    rows.filter(({ createdAt }) => from !== undefined && createdAt >= from)
  const trades = all.filter(({ type }) => type === 'trade')
  expect(await lines('trades', { from })).toHaveLength(since(trades).length)
  expect(await lines('trades', { bot, from })).toHaveLength(
    since(trades.filter(isOf('closed'))).length,
  )
  const [whole, part] = [await lines('statement', {}), await lines('statement', { from })]
  expect(part.length).toBeGreaterThan(0)
  expect(part.length).toBeLessThan(whole.length)
  expect(whole.slice(-part.length)).toEqual(part)
  expect(await lines('statement', { bot })).toHaveLength(
    all.filter((row) => row.type !== 'trade' && isOf('closed')(row)).length,
  )
})
