import { expect, test } from 'vitest'
import { expectedArrival, newYork, sentAfterMs } from './arrival.ts'

const days = (at: string) =>
  Object.values(expectedArrival(Date.parse(at))).map((day) => day.toISOString().slice(0, 10))

test('a payout is expected one to three business days after the request', () => {
  expect(days('2026-11-16T15:00:00Z')).toEqual(['2026-11-17', '2026-11-19'])
})

test('bank holidays are not business days', () => {
  expect([
    days('2026-11-25T15:00:00Z'),
    days('2026-12-24T15:00:00Z'),
    days('2026-12-31T15:00:00Z'),
    days('2027-07-02T15:00:00Z'),
  ]).toEqual([
    ['2026-11-27', '2026-12-01'],
    ['2026-12-28', '2026-12-30'],
    ['2027-01-04', '2027-01-06'],
    ['2027-07-06', '2027-07-08'],
  ])
})

test.each([
  ['nothing', { heldUntilMs: null, delayHours: 0 }, null],
  ['a hold that is over', { heldUntilMs: 5, delayHours: 0 }, null],
  ['a hold', { heldUntilMs: 5_000_000, delayHours: 0 }, 5_000_000],
  ['a delay', { heldUntilMs: null, delayHours: 1 }, 3_600_010],
  ['a delay that ends after a hold', { heldUntilMs: 1_000, delayHours: 1 }, 3_600_010],
  ['a hold that ends after a delay', { heldUntilMs: 5_000_000, delayHours: 1 }, 5_000_000],
])('a withdrawal with %s is sent after the later one', (_what, waiting, expected) => {
  expect(sentAfterMs(10, waiting)).toBe(expected)
})

test('the day begins at midnight in New York, in winter and in summer', () => {
  expect(
    [
      '2026-12-11T04:59:00Z',
      '2026-12-11T05:00:00Z',
      '2026-07-10T03:59:00Z',
      '2026-07-10T04:00:00Z',
    ].map((at) => Object.values(newYork(Date.parse(at))).join(' ')),
  ).toEqual(['261210 2359', '261211 0000', '260709 2359', '260710 0000'])
})

test('weekends are not business days', () => {
  expect([
    days('2026-11-19T23:59:00Z'),
    days('2026-11-20T04:59:00Z'),
    days('2026-11-20T05:00:00Z'),
    days('2026-11-21T12:00:00Z'),
    days('2026-11-22T12:00:00Z'),
  ]).toEqual([
    ['2026-11-20', '2026-11-24'],
    ['2026-11-20', '2026-11-24'],
    ['2026-11-23', '2026-11-25'],
    ['2026-11-23', '2026-11-25'],
    ['2026-11-23', '2026-11-25'],
  ])
})
