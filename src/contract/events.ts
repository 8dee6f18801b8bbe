/**
 * Events of `GET /api/events`. `prices` contains the changed `PriceTicks`; `pools` the `PoolStates`
 * of pools that traded or earned interest (no states if many users' bots moved at once), for every
 * user. The others name the data to refetch and are sent to the user concerned. An event's id is a
 * moment in the order of database transactions; a stream opened with `since` starts at that moment.
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
 * Shows that the stream is alive. Sent as an event, because scripts cannot see a stream's comments.
 */
export const BEAT = 'beat'
export const BEAT_INTERVAL_MS = 20_000
