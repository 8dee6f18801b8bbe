import { expect, test } from 'vitest'
import { rangesOf, shownRange } from './balance-chart.tsx'

const aged = (days: number) => ({
  since: '2026-01-01T00:00:00.000Z',
  curve: [{ at: new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString(), value: '1.00' }],
})

test('ranges longer than the age of the account are left out', () => {
  expect([0, 0.99, 1, 29, 30, 364, 365].map((days) => rangesOf(aged(days)))).toEqual([
    ['All'],
    ['All'],
    ['1D', 'All'],
    ['1D', '1W', 'All'],
    ['1D', '1W', '1M', 'All'],
    ['1D', '1W', '1M', 'All'],
    ['1D', '1W', '1M', '1Y', 'All'],
  ])
  expect(rangesOf(undefined)).toEqual(['1D', '1W', '1M', '1Y', 'All'])
})

test('if the chosen range is left out, everything is shown', () => {
  const ranges = rangesOf(aged(2))
  expect((['1M', '1D', 'All'] as const).map((range) => shownRange(range, ranges))).toEqual([
    'All',
    '1D',
    'All',
  ])
})
