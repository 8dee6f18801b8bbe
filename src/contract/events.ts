/**
 * What `GET /api/events` may say. The data of `prices` is the answer of `getPrices`; the others only say what to ask again.
 * `bots`, `balance`, `transactions` and `withdrawals` reach the user concerned alone.
 */
export const EVENT_NAMES = ['prices', 'balance', 'bots', 'transactions', 'withdrawals'] as const
export type EventName = (typeof EVENT_NAMES)[number]

/** Says nothing but that the stream is alive. An event, because browsers hide a stream's comments from scripts. */
export const BEAT = 'beat'
export const BEAT_INTERVAL_MS = 20_000
