import { expect, test } from 'vitest'
import { expectedArrival } from './arrival.ts'

const days = (at: string) => Object.values(expectedArrival(Date.parse(at))).map((day) => day.toISOString().slice(0, 10))

test('a payout is expected one to three business days after the request', () => {
  expect(days('2026-11-23T15:00:00Z')).toEqual(['2026-11-24', '2026-11-26'])
})

test('weekends do not count', () => {
  expect([days('2026-11-19T23:59:00Z'), days('2026-11-20T00:00:00Z'), days('2026-11-21T12:00:00Z'), days('2026-11-22T12:00:00Z')]).toEqual([
    ['2026-11-20', '2026-11-24'],
    ['2026-11-23', '2026-11-25'],
    ['2026-11-23', '2026-11-25'],
    ['2026-11-23', '2026-11-25'],
  ])
})
