import type { QueryClient } from '@tanstack/react-query'
import type { RouteName } from '#contract/routes.ts'
import { steadyMs } from '#app/ui/device/clock.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { openEventStream } from './event-stream.ts'
import type { Follower } from './follow-events.ts'

/** Between two refetches of everything while the code that follows events cannot be loaded. */
const UNFOLLOWED_PACE_MS = 30_000

/** Calls the follower, or `otherwise` if its code cannot be loaded. */
type Follow = (act: (follower: Follower) => void, otherwise: () => void) => void

const open = new WeakMap<QueryClient, Follow>()

/**
 * Events after `since`, when the page's answers were read, arrive first. Returns a stop function.
 */
export function listenToEvents(client: QueryClient, since = ''): () => void {
  const [follow, isUsed] = lazyFollower(client)
  const refetchAll = pacedRefetch(client)
  const stop = openEventStream({
    since,
    onEvent: (name, data) => follow(({ event }) => event(name, data), refetchAll),
    // Events during the outage were missed, so everything is refetched.
    onReopened: () => {
      follow(({ forget }) => forget(), refetchAll)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'runBacktest' })
    },
  })
  open.set(client, follow)
  return () => {
    stop()
    open.delete(client)
    if (isUsed()) follow(({ close }) => close(), refetchAll)
  }
}

/** Refetches these after an action of the user: once with its events, while the stream is open. */
export function refetchAfterAction(client: QueryClient, routes: readonly RouteName[]): void {
  const atOnce = () => {
    for (const route of routes) void client.invalidateQueries({ queryKey: [route] })
  }
  const follow = open.get(client)
  if (follow) follow(({ action }) => routes.forEach(action), atOnce)
  else atOnce()
}

/** Its code is loaded with the first event or action, and again after a failure. */
function lazyFollower(client: QueryClient): [follow: Follow, isUsed: () => boolean] {
  let follower: Promise<Follower> | undefined
  return [
    (act, otherwise) => {
      follower ??= import('./follow-events.ts').then(({ openFollower }) => openFollower(client))
      follower.then(act, () => {
        follower = undefined
        otherwise()
      })
    },
    () => follower !== undefined,
  ]
}

function pacedRefetch(client: QueryClient): () => void {
  let refetchedMs = -Infinity
  return () => {
    if (steadyMs() - refetchedMs < UNFOLLOWED_PACE_MS) return
    refetchedMs = steadyMs()
    void client.invalidateQueries({ predicate: ({ queryKey }) => KEPT_CURRENT.has(queryKey[0]) })
  }
}
