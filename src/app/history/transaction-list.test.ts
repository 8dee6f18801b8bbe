import { expect, test } from 'vitest'
import type { Transaction } from '#contract/transactions.ts'
import { groupsByDay } from './transaction-list.tsx'

test('consecutive rows of one day form a group, in their order', () => {
  const rows = ['2', '2', '1', '2'].map(
    (day, place) => ({ id: `${place}`, marketTime: day }) as Transaction,
  )
  const groups = groupsByDay(rows, ({ marketTime }) => marketTime)
  expect(groups.map(({ day, rows: own }) => [day, own.map(({ id }) => id)])).toEqual([
    ['2', ['0', '1']],
    ['1', ['2']],
    ['2', ['3']],
  ])
})
