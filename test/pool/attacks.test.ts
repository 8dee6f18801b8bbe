import { expect, test } from 'vitest'
import { ONE } from '#core/money/amount.ts'
import { checkAttacks } from './attacks.ts'

const FIRST = Number(process.env['TEST_SEED'] ?? 20_250_919)
const CENT = ONE / 100n

test('a thousand rounding attacks on a pool win at most a cent per lot', () => {
  const loot = checkAttacks({ from: FIRST, count: 1_000 })
  expect(loot.lots, 'number of lots of victims').toBeGreaterThan(500)
  // The cent is one unit of base at a price of a million dollars.
  expect(loot.dearestUnit).toBeGreaterThan(CENT / 2n)
  expect(loot.dearestUnit).toBeLessThanOrEqual(CENT + 1n)
  expect(loot.won).toBeLessThanOrEqual(CENT + 2n)
  expect(loot.lost).toBeLessThanOrEqual(CENT + 2n)
})
