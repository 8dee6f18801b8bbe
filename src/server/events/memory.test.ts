import { expect, test } from 'vitest'
import { openMemory, type Memory } from './memory.ts'

const at = (number: bigint, life = '7') => ({ life, number })

function openFrom(number: bigint): Memory {
  const memory = openMemory()
  memory.begin(at(number))
  return memory
}

test('an event is sent to a page read before its transaction ended, not to a later page', () => {
  const memory = openFrom(100n)
  memory.note({ name: 'balance', userIds: ['ada'] }, 105n)
  expect(memory.since(at(104n))).toEqual([{ name: 'balance', userIds: ['ada'] }])
  expect(memory.since(at(105n))).toEqual([{ name: 'balance', userIds: ['ada'] }])
  expect(memory.since(at(106n))).toEqual([])
})

test('a transaction that began early and ended late is not missed by a page in between', () => {
  const memory = openFrom(100n)
  memory.note({ name: 'bots' }, 120n)
  memory.note({ name: 'balance' }, 110n)
  expect(memory.since(at(110n)).map(({ name }) => name)).toEqual(['bots', 'balance'])
  expect(memory.since(at(115n)).map(({ name }) => name)).toEqual(['bots'])
})

test('the last prices are stored', () => {
  const memory = openFrom(1n)
  memory.note({ name: 'prices', data: { BTC: 1 } }, 2n)
  memory.note({ name: 'prices', data: { BTC: 2 } }, 3n)
  expect(memory.since(at(1n))).toEqual([{ name: 'prices', data: { BTC: 2 } }])
})

const EVERYTHING = [
  { name: 'pools' },
  { name: 'balance' },
  { name: 'bots' },
  { name: 'transactions' },
  { name: 'withdrawals' },
  { name: 'notices' },
]

test('a page older than the oldest stored event refetches everything', () => {
  const memory = openFrom(1_000n)
  expect(memory.since(at(999n))).toEqual(EVERYTHING)
  for (let number = 2_000n; number < 3_001n; number += 1n)
    memory.note({ name: 'bots', userIds: ['ada'] }, number)
  expect(memory.since(at(2_000n))).toEqual(EVERYTHING)
  expect(memory.since(at(2_001n))).toHaveLength(1_000)
})

test('a page from before a restore or an event gap refetches everything', () => {
  const memory = openFrom(1_000n)
  memory.note({ name: 'prices', data: { BTC: 1 } }, 1_001n)
  memory.note({ name: 'bots' }, 1_002n)
  const all = [...EVERYTHING, { name: 'prices', data: { BTC: 1 } }]
  expect(memory.since(at(1_002n, '8'))).toEqual(all)
  memory.begin(at(1_010n))
  expect(memory.since(at(1_009n))).toEqual(all)
  expect(memory.since(at(1_011n))).toEqual([])
})
