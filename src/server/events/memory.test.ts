import { expect, test } from 'vitest'
import { openMemory } from './memory.ts'

test('a page rendered before an event receives it; one rendered after it does not', () => {
  let nowMs = 1_000
  const memory = openMemory(() => nowMs)
  nowMs = 2_000
  memory.note({ name: 'balance', userIds: ['ada'] })
  expect(memory.since(1_500)).toEqual([{ name: 'balance', userIds: ['ada'] }])
  expect(memory.since(2_000)).toEqual([{ name: 'balance', userIds: ['ada'] }])
  expect(memory.since(2_001)).toEqual([])
})

test('of prices the last are remembered', () => {
  const memory = openMemory(() => 1_000)
  memory.note({ name: 'prices', data: { BTC: 1 } })
  memory.note({ name: 'prices', data: { BTC: 2 } })
  expect(memory.since(1_000)).toEqual([{ name: 'prices', data: { BTC: 2 } }])
})

test('a page older than the oldest kept event refetches everything', () => {
  let nowMs = 1_000
  const memory = openMemory(() => nowMs)
  const everything = [{ name: 'balance' }, { name: 'bots' }, { name: 'transactions' }, { name: 'withdrawals' }, { name: 'notices' }]
  expect(memory.since(999)).toEqual(everything)
  for (nowMs = 2_000; nowMs < 3_001; nowMs += 1) memory.note({ name: 'bots', userIds: ['ada'] })
  expect(memory.since(2_000)).toEqual(everything)
  expect(memory.since(2_001)).toHaveLength(1_000)
})

test('a page older than the oldest kept event receives the last prices too', () => {
  const memory = openMemory(() => 1_000)
  memory.note({ name: 'prices', data: { BTC: 1 } })
  expect(memory.since(999)).toContainEqual({ name: 'prices', data: { BTC: 1 } })
})
