/**
 * Events of `GET /api/events`. `prices` carries the changed `PriceTicks`; `pools` the `PoolStates`
 * of pools that traded or earned interest, to every user (no state if many users' bots moved at
 * once). The others name the data to refetch and go to the user concerned. An event's id is a
 * moment in the order of database transactions: a stream opened with `since` starts there.
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

/** Shows that the stream is alive. An event, because browsers hide a stream's comments. */
export const BEAT = 'beat'
export const BEAT_INTERVAL_MS = 20_000
