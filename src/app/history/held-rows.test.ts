import { expect, test } from 'vitest'
import type { Transaction } from '#contract/transactions.ts'
import { firstOf, split, takeIn } from './held-rows.ts'

const row = (id: string, status: Transaction['status'] = 'completed'): Transaction => ({
  id,
  status,
  type: 'deposit',
  description: '',
  amount: '10.00',
  currency: 'USD',
  createdAt: '',
  marketTime: '',
  bot: null,
  venueFee: null,
  sendsAfter: null,
})
const rows = (...ids: string[]) => ids.map((id) => row(id))
function read(held: Parameters<typeof split>[0]) {
  const { rows: shown, waiting, isAllWaiting } = split(held)
  return { ids: shown.map(({ id }) => id), waiting: waiting.length, isAllWaiting }
}

test('new rows are held back and counted', () => {
  const held = takeIn(
    takeIn(firstOf(rows('c', 'b', 'a')), rows('d', 'c', 'b', 'a')),
    rows('e', 'd', 'c', 'b', 'a'),
  )
  expect(read(held)).toEqual({ ids: ['c', 'b', 'a'], waiting: 2, isAllWaiting: true })
})

test('older rows are appended, also those that a full page pushes out of the answer', () => {
  expect(read(takeIn(firstOf(rows('c', 'b')), rows('c', 'b', 'a')))).toEqual({
    ids: ['c', 'b', 'a'],
    waiting: 0,
    isAllWaiting: true,
  })
  expect(read(takeIn(firstOf(rows('c', 'b')), rows('d', 'c')))).toEqual({
    ids: ['c', 'b'],
    waiting: 1,
    isAllWaiting: true,
  })
})

test('if every row of an answer is new, the count is a minimum: more may be new', () => {
  expect(read(takeIn(firstOf(rows('b', 'a')), rows('z', 'y')))).toEqual({
    ids: ['b', 'a'],
    waiting: 2,
    isAllWaiting: false,
  })
})

test('a row that is shown changes in place', () => {
  const held = takeIn(firstOf([row('a', 'pending')]), [row('b'), row('a')])
  expect(split(held).rows.map(({ status }) => status)).toEqual(['completed'])
})

test('an empty list shows new rows at once', () => {
  expect(read(takeIn(firstOf([]), rows('a')))).toEqual({
    ids: ['a'],
    waiting: 0,
    isAllWaiting: true,
  })
})

test('a new trade of a listed change waits at the head', () => {
  expect(read(takeIn(firstOf(rows('b.2', 'b.1', 'a')), rows('b.3', 'b.2', 'b.1', 'a')))).toEqual({
    ids: ['b.2', 'b.1', 'a'],
    waiting: 1,
    isAllWaiting: true,
  })
})
