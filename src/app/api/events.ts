import type { QueryClient } from '@tanstack/react-query'
import type { RouteName } from '#contract/routes.ts'
import { steadyMs } from '#app/ui/device/clock.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { openEventStream } from './event-stream.ts'
import type { Follower } from './follow-events.ts'

/**
 * Minimum time between two refetches of everything while the code that follows events cannot be
 * loaded.
 */
const UNFOLLOWED_PACE_MS = 30_000

type Follow = (act: (follower: Follower) => void, otherwise: () => void) => void

const open = new WeakMap<QueryClient, Follow>()

/**
 * Events after `since`, when the page's answers were read, arrive first. Returns a stop function.
 */
export function listenToEvents(client: QueryClient, since = ''): () => void {
  /**
   * The code that follows events comes with the first of them. Without it, all that they keep
   * current is refetched.
   */
  let follower: Promise<Follower> | undefined
  let refetchedMs = -Infinity
  const follow: Follow = (act, otherwise) => {
    follower ??= import('./follow-events.ts').then(({ openFollower }) => openFollower(client))
    follower.then(act, () => {
      follower = undefined
      otherwise()
    })
  }
  const refetchAll = () => {
    if (steadyMs() - refetchedMs < UNFOLLOWED_PACE_MS) return
    refetchedMs = steadyMs()
    void client.invalidateQueries({ predicate: ({ queryKey }) => KEPT_CURRENT.has(queryKey[0]) })
  }
  const stop = openEventStream({
    since,
    onEvent: (name, data) => follow(({ event }) => event(name, data), refetchAll),
    // Events during the outage were missed, so everything is refetched.
    onReopened: () => {
      if (follower) follow(({ forget }) => forget(), refetchAll)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'runBacktest' })
    },
  })
  open.set(client, follow)
  return () => {
    stop()
    open.delete(client)
    if (follower) follow(({ close }) => close(), refetchAll)
  }
}

/**
 * Refetches these after an action of the user: once with its events, where somebody listens to
 * them.
 */
export function refetchAfterAction(client: QueryClient, routes: readonly RouteName[]): void {
  const atOnce = () => invalidate(client, routes)
  const follow = open.get(client)
  if (follow) follow(({ action }) => routes.forEach(action), atOnce)
  else atOnce()
}

function invalidate(client: QueryClient, routes: readonly RouteName[]): void {
  for (const route of routes) void client.invalidateQueries({ queryKey: [route] })
}
