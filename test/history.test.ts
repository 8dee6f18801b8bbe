import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRANSACTION_TYPES, type Transaction } from '#contract/transactions.ts'
import { plainRoutes } from '#contract/routes.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { readBalances } from '#server/ledger/read.ts'
import { createRisingWorld, fillSmallBook } from './small-book.ts'
import { type TestUser, type World } from './world.ts'

let world: World
let ada: TestUser

beforeAll(async () => {
  world = await createRisingWorld()
  ada = (await fillSmallBook(world)).ada
  for (let more = 0; more < 40; more += 1) await ada.deposit('10')
})
afterAll(() => world.close())

async function history(type?: Transaction['type']): Promise<{ rows: Transaction[]; pages: number }> {
  const rows: Transaction[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const page = await ada.call('listTransactions', { query: { ...(type && { type }), ...(cursor && { cursor }) } })
    rows.push(...page.items)
    cursor = page.nextCursor
  }
  return { rows, pages }
}

const sum = (amounts: string[]) => amounts.reduce((total, amount) => total + decimalToUnits(amount), 0n)

test('pages hold every row once, newest first', async () => {
  const { rows, pages } = await history()
  expect(pages).toBeGreaterThan(1)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  const times = rows.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('the filters part the history: no row is in two, none is in none', async () => {
  const all = (await history()).rows
  const parts = await Promise.all(TRANSACTION_TYPES.map(async (type) => ({ type, rows: (await history(type)).rows })))
  for (const { type, rows } of parts) expect(rows).toEqual(all.filter((row) => row.type === type))
  expect(parts.flatMap(({ rows }) => rows)).toHaveLength(all.length)
  expect(parts.filter(({ rows }) => rows.length > 0).map(({ type }) => type)).toEqual(['deposit', 'withdrawal', 'trade', 'transfer'])
})

test('the statement begins at nothing, adds up line by line and ends at the ledger', async () => {
  const answer = await world.app.inject({ url: plainRoutes.statement, headers: { cookie: ada.cookie } })
  const [head, ...lines] = answer.body.trimEnd().split('\n')
  expect(head).toBe('date,type,description,status,amount,balance,currency,reference')
  let balance = 0n
  for (const line of lines) {
    const [, , , , amount = '', after = ''] = line.split(',')
    balance += decimalToUnits(amount)
    expect(decimalToUnits(after)).toBe(balance)
  }
  expect(balance).toBe((await readBalances(world.context.sql, ada.id)).cash)
  const cash = (await history()).rows.filter(({ type }) => type !== 'trade')
  expect(lines).toHaveLength(cash.length)
})

test('every row opens to the ledger lines behind it, and their dollars are its amount', async () => {
  for (const { id, type, amount } of (await history()).rows) {
    const receipt = await ada.call('getTransaction', { params: { id } })
    expect(receipt.transaction).toMatchObject({ id, amount })
    expect(receipt.lines.length).toBeGreaterThan(1)
    if (type === 'trade') {
      const [money, coins] = receipt.lines
      const { price = '', quantity = '', venueFee = '', side } = receipt.trade ?? {}
      expect(unitsToDecimal(decimalToUnits(money?.amount ?? ''), 2)).toBe(amount)
      expect(coins?.amount).toBe(side === 'buy' ? quantity : `-${quantity}`)
      const cost = (decimalToUnits(quantity) * decimalToUnits(price)) / 100_000_000n
      const signed = side === 'buy' ? -cost - decimalToUnits(venueFee) : cost - decimalToUnits(venueFee)
      const gap = signed - decimalToUnits(money?.amount ?? '')
      expect(gap > -3n && gap < 3n, 'quantity × price and the fee are the money, to two units of rounding').toBe(true)
    } else {
      expect(receipt.trade).toBeNull()
      expect(sum(receipt.lines.filter(({ asset }) => asset === 'USD').map((line) => line.amount))).toBe(0n)
      expect(receipt.lines.map((line) => unitsToDecimal(decimalToUnits(line.amount), 2))).toContain(amount)
      expect(receipt.paymentIntentId !== null).toBe(type === 'deposit')
    }
  }
})
