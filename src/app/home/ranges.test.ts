import { expect, test } from 'vitest'
import { rangeOptions, shownRange } from './balance-chart.tsx'

const aged = (days: number) => ({
  since: '2026-01-01T00:00:00.000Z',
  curve: [{ at: new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString(), value: '1.00' }],
})
const open = (days: number) =>
  rangeOptions(aged(days)).flatMap(({ value, disabled }) => (disabled === undefined ? [value] : []))

test('a range longer than the account is old cannot be chosen', () => {
  expect([0, 0.99, 1, 29, 30, 364, 365].map(open)).toEqual([
    ['All'],
    ['All'],
    ['1D', 'All'],
    ['1D', '1W', 'All'],
    ['1D', '1W', '1M', 'All'],
    ['1D', '1W', '1M', 'All'],
    ['1D', '1W', '1M', '1Y', 'All'],
  ])
  expect(rangeOptions(undefined).every(({ disabled }) => disabled === undefined)).toBe(true)
})

test('a range that cannot be chosen says why, and shows everything', () => {
  const options = rangeOptions(aged(2))
  expect(options.find(({ value }) => value === '1M')?.disabled).toBe(
    'For accounts older than a month',
  )
  expect([
    shownRange('1M', options),
    shownRange('1D', options),
    shownRange('All', options),
  ]).toEqual(['All', '1D', 'All'])
})
