/**
 * Events of `GET /api/events`. `prices` carries `PriceTicks`, what changed since the last of them,
 * and `pools` the `PoolStates` of pools that traded or were paid interest; the others only name the
 * data to refetch. The id of an event is a moment in the order of the database's transactions: a
 * stream opened with `since` begins with what happened from then on. `pools` goes to everybody who
 * is signed in, and without a state where many users' bots moved at once; `bots`, `balance`,
 * `transactions`, `withdrawals` and `notices` go only to the user concerned.
 */
export const EVENT_NAMES = [
  'prices',
  'pools',
  'balance',
  'bots',
  'transactions',
  'withdrawals',
  'notices',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

/**
 * Only shows that the stream is alive. An event rather than a comment, because browsers hide a
 * stream's comments from scripts.
 */
export const BEAT = 'beat'
export const BEAT_INTERVAL_MS = 20_000
