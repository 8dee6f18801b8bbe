/**
 * Events of `GET /api/events`. `prices` contains the changed `PriceTicks`. `pools`, sent to every
 * user, contains the `PoolStates` of pools that traded or earned interest, or no states if the bots
 * of many users moved at once. The other events are sent to the user concerned and name the data to
 * refetch. The id of an event is a moment in the order of database transactions; a stream opened
 * with `since` starts at that moment.
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
