import { expect, test } from 'vitest'
import { LATE_MS } from './outgoing.ts'
import { SILENT_MS } from './publishers.ts'
import { openSettledPast, SETTLED_AFTER_MS } from './settled-past.ts'

test('transactions that a message knows to have ended count as heard of once the messages of other processes had the time to arrive', () => {
  const { note } = openSettledPast()
  expect([note(10n, 0), note(12n, 1), note(14n, SETTLED_AFTER_MS - 1)]).toEqual([0n, 0n, 0n])
  expect([note(20n, SETTLED_AFTER_MS), note(21n, SETTLED_AFTER_MS + 1), note(30n, 2 * SETTLED_AFTER_MS - 1)]).toEqual([10n, 10n, 10n])
  expect(note(40n, 3 * SETTLED_AFTER_MS)).toBe(20n)
})

test('a message comes within that time, or its lack has been noticed', () => {
  expect(SETTLED_AFTER_MS).toBeGreaterThan(LATE_MS + SILENT_MS + 1_000)
})
