import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { bankHolidays } from './bank-holidays.ts'

/** Business days. */
export const FEWEST_DAYS = 1
export const MOST_DAYS = 3

const NEW_YORK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'short',
})

/** Date and time in New York, the zone of US banks: YYMMDD and HHMM. */
export function newYork(atMs: number): { day: string; time: string } {
  const digits = NEW_YORK.format(atMs).replaceAll(/\D/g, '')
  return { day: digits.slice(2, 8), time: digits.slice(8, 12) }
}

/**
 * First and last day of the arrival, at noon UTC, counted from the date in New York. Weekends and
 * bank holidays do not count.
 */
export function expectedArrival(sentMs: number): { first: Date; last: Date } {
  return {
    first: afterBusinessDays(sentMs, FEWEST_DAYS),
    last: afterBusinessDays(sentMs, MOST_DAYS),
  }
}

function afterBusinessDays(fromMs: number, days: number): Date {
  const { day } = newYork(fromMs)
  const [year, month, date] = [0, 2, 4].map((at) => Number(day.slice(at, at + 2)))
  let atMs = Date.UTC(2_000 + (year ?? 0), (month ?? 0) - 1, date, 12)
  for (let left = days; left > 0; left -= isBusinessDay(atMs) ? 1 : 0) atMs += DAY_MS
  return new Date(atMs)
}

function isBusinessDay(atMs: number): boolean {
  const day = new Date(atMs)
  if (day.getUTCDay() === 0 || day.getUTCDay() === 6) return false
  return !bankHolidays(day.getUTCFullYear()).includes(Math.floor(atMs / DAY_MS) * DAY_MS)
}

/** `heldUntilMs`: end of the hold on the account. `delayHours`: the owner's choice. */
export type Waiting = { heldUntilMs: number | null; delayHours: number }

/** Null if the withdrawal can be sent at once. */
export function sentAfterMs(nowMs: number, { heldUntilMs, delayHours }: Waiting): number | null {
  const ends = [heldUntilMs ?? nowMs, nowMs + delayHours * HOUR_MS].filter((endMs) => endMs > nowMs)
  return ends.length === 0 ? null : Math.max(...ends)
}
