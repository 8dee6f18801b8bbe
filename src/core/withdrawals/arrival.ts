const DAY_MS = 86_400_000

/** Business days that a payout takes. */
export const FEWEST_DAYS = 1
export const MOST_DAYS = 3

/** The first and the last day on which a payout requested at `nowMs` is expected, at noon UTC. Weekends do not count; bank holidays are not known here. */
export function expectedArrival(nowMs: number): { first: Date; last: Date } {
  return { first: afterBusinessDays(nowMs, FEWEST_DAYS), last: afterBusinessDays(nowMs, MOST_DAYS) }
}

function afterBusinessDays(fromMs: number, days: number): Date {
  let atMs = Math.floor(fromMs / DAY_MS) * DAY_MS + DAY_MS / 2
  for (let left = days; left > 0; left -= isBusinessDay(atMs) ? 1 : 0) atMs += DAY_MS
  return new Date(atMs)
}

function isBusinessDay(atMs: number): boolean {
  const day = new Date(atMs).getUTCDay()
  return day !== 0 && day !== 6
}
