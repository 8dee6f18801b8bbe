import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { bankHolidays } from './bank-holidays.ts'

/** Business days. */
export const FEWEST_DAYS = 1
export const MOST_DAYS = 3

/** At noon UTC, without weekends and bank holidays. */
export function expectedArrival(sentMs: number): { first: Date; last: Date } {
  return {
    first: afterBusinessDays(sentMs, FEWEST_DAYS),
    last: afterBusinessDays(sentMs, MOST_DAYS),
  }
}

function afterBusinessDays(fromMs: number, days: number): Date {
  let atMs = Math.floor(fromMs / DAY_MS) * DAY_MS + DAY_MS / 2
  for (let left = days; left > 0; left -= isBusinessDay(atMs) ? 1 : 0) atMs += DAY_MS
  return new Date(atMs)
}

function isBusinessDay(atMs: number): boolean {
  const day = new Date(atMs)
  if (day.getUTCDay() === 0 || day.getUTCDay() === 6) return false
  return !bankHolidays(day.getUTCFullYear()).includes(Math.floor(atMs / DAY_MS) * DAY_MS)
}

/** `heldUntilMs`: by the account's protection. `delayHours`: the owner's choice. */
export type Waiting = { heldUntilMs: number | null; delayHours: number }

/** Null for at once. */
export function sentAfterMs(nowMs: number, { heldUntilMs, delayHours }: Waiting): number | null {
  const ends = [heldUntilMs ?? nowMs, nowMs + delayHours * HOUR_MS].filter((endMs) => endMs > nowMs)
  return ends.length === 0 ? null : Math.max(...ends)
}
