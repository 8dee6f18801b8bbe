import { noop, type QueryClient } from '@tanstack/react-query'
import { steadyMs } from '#app/ui/device/clock.ts'
import type { Change } from './actions-table.ts'
import { openEventStream } from './event-stream.ts'
import type { Follower } from './follow-events.ts'
import type { Read } from './freshness.ts'

/** Interval of refetching everything while the code that handles events cannot be loaded. */
const UNFOLLOWED_PACE_MS = 30_000

/**
 * Calls the follower. If its code cannot be loaded, refetches everything, at most once per
 * `paceMs`.
 */
type Follow = (act: (follower: Follower) => void, paceMs: number) => void

/** Undefined while nobody is signed in. */
let following: Follow | undefined

/**
 * `since`: when the page's answers were read; the stream starts with the events after it. Returns a
 * stop function.
 */
export function listenToEvents(client: QueryClient, since = ''): () => void {
  let follower: Promise<Follower> | undefined
  let refetchedMs = -Infinity
  // The code is loaded with the first event or action, and again after a failure.
  const follow: Follow = (act, paceMs) => {
    follower ??= import('./follow-events.ts').then(({ openFollower }) => openFollower(client))
    follower.then(act, () => {
      follower = undefined
      if (steadyMs() - refetchedMs < paceMs) return
      refetchedMs = steadyMs()
      void client.invalidateQueries()
    })
  }
  const stop = openEventStream({
    since,
    onEvent: (name, data) => follow(({ event }) => event(name, data), UNFOLLOWED_PACE_MS),
    // Refetches, because events during the outage were missed.
    onReopened: () => {
      void follower?.then(({ forget }) => forget(), noop)
      void client.invalidateQueries()
    },
  })
  following = follow
  return () => {
    stop()
    following = undefined
    void follower?.then(({ close }) => close(), noop)
  }
}

/**
 * Refetches, after an action of the signed-in user, the queries that it changed, once for all its
 * events.
 */
export function refetchAfter(changes: readonly Change[]): void {
  following?.((follower) => follower.changed(changes), 0)
}

/** Refetches a query that events keep fresh, once `paceMs` have passed since its last request. */
export function refetchPaced(route: Read, paceMs: number): void {
  following?.((follower) => follower.paced(route, paceMs), UNFOLLOWED_PACE_MS)
}
