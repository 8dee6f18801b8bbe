import type { Query, QueryClient } from '@tanstack/react-query'
import { steadyAt, steadyMs } from '#app/ui/device/clock.ts'
import { isFollowed } from './freshness.ts'
import { streamAliveMs } from './stream-health.ts'

const times = new WeakMap<object, number>()

/** Notes that the answer to this query has just arrived. */
export function noteAnswer(query: object): void {
  times.set(query, steadyMs())
}

/**
 * When the answer to a query arrived, by the steady clock. The cache uses the device's clock, which
 * users may change. Answers from the page or from storage have only the device's time.
 */
export function answeredMs(query: Pick<Query, 'state'>): number {
  const ms = times.get(query) ?? steadyAt(query.state.dataUpdatedAt)
  times.set(query, ms)
  return ms
}

/**
 * When the oldest of these answers on the screen was last current, by the steady clock. An answer
 * that events keep fresh is current while the stream is up, until an event makes it stale.
 */
export function currentUntilMs(
  client: QueryClient,
  isMeant: (name: unknown) => boolean,
): number | undefined {
  const shown = client.getQueryCache().findAll({
    type: 'active',
    predicate: ({ queryKey, state }) => isMeant(queryKey[0]) && state.dataUpdatedAt > 0,
  })
  const times = shown.map((query) =>
    isFollowed(query.queryKey[0]) && !query.state.isInvalidated
      ? Math.max(answeredMs(query), streamAliveMs())
      : answeredMs(query),
  )
  return times.length === 0 ? undefined : Math.min(...times)
}

/**
 * True while screens show answers stored on this device and the server has not confirmed yet who is
 * signed in.
 */
let unconfirmed = false

export function isUnconfirmed(): boolean {
  return unconfirmed
}

export function setUnconfirmed(is: boolean): void {
  unconfirmed = is
}
