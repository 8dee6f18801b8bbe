import { expect, test } from 'vitest'
import { readTreasuryBills } from './treasury-bills.ts'

test('the shipped Treasury bill rates have every month, in basis points', () => {
  const { rates, sha256 } = readTreasuryBills()
  const months = [...rates.keys()]
  expect([months[0], months.at(-1), months.length]).toEqual(['2017-01', '2026-03', 9 * 12 + 3])
  expect(months).toEqual(months.toSorted())
  expect([rates.get('2021-05'), rates.get('2023-10')]).toEqual([2, 534])
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
})
