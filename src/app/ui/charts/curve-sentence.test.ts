import { expect, test } from 'vitest'
import { utcDayText } from '#app/ui/device/dates.ts'
import { curveSentence } from './curve-sentence.ts'

test('a curve is described in one sentence', () => {
  const curve = [
    { at: '2026-01-01T12:00:00.000Z', value: '100.00' },
    { at: '2026-01-02T12:00:00.000Z', value: '80.50' },
    { at: '2026-01-03T12:00:00.000Z', value: '1250.00' },
  ]
  expect(curveSentence('Total Balance', curve, utcDayText)).toBe(
    'Total Balance: from $100.00 on Jan 1, 2026 to $1,250.00 on Jan 3, 2026, lowest $80.50, highest $1,250.00.',
  )
})

test('an empty curve is described as having no values yet', () => {
  expect(curveSentence('Total Balance', [], utcDayText)).toBe('Total Balance: no values yet.')
})
