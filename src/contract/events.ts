/**
 * Events of `GET /api/events`. `prices` carries the response of `getPrices`; the others only name the data to refetch.
 * `bots`, `balance`, `transactions` and `withdrawals` go only to the user concerned.
 */
export const EVENT_NAMES = ['prices', 'balance', 'bots', 'transactions', 'withdrawals'] as const
export type EventName = (typeof EVENT_NAMES)[number]

/** Only shows that the stream is alive. An event rather than a comment, because browsers hide a stream's comments from scripts. */
export const BEAT = 'beat'
export const BEAT_INTERVAL_MS = 20_000
