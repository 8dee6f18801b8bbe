import { expect, test } from 'vitest'
import { bankHolidays } from './bank-holidays.ts'

/**
 * Holidays as published. From 2026 on: release K.8 of the Federal Reserve Board
 * (federalreserve.gov/aboutthefed/k8.htm, updated 2025-12-31); before: its earlier editions. Left
 * out: holidays on a Saturday, when the banks are open the Friday before.
 */
const PUBLISHED: readonly [year: number, days: string][] = [
  [2022, '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
  [2023, '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
  [2024, '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
  [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
  [2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
  [2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
  [2028, '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
  [2029, '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25'],
  [2030, '01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
]

test.each(PUBLISHED)(
  'the banks are closed in %d on the days that the Federal Reserve publishes',
  (year, days) => {
    expect(bankHolidays(year).map((atMs) => new Date(atMs).toISOString().slice(0, 10))).toEqual(
      days.split(' ').map((day) => `${year}-${day}`),
    )
  },
)

test('no holiday is on a weekend, and no year has fewer than eight or more than eleven', () => {
  for (let year = 2021; year < 2200; year += 1) {
    const days = bankHolidays(year)
    expect(days.filter((atMs) => [0, 6].includes(new Date(atMs).getUTCDay()))).toEqual([])
    expect(days.length >= 8 && days.length <= 11, `${year}`).toBe(true)
  }
})
