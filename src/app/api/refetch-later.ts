import type { QueryClient } from '@tanstack/react-query'
import type { RouteName } from '#contract/routes.ts'
import { steadyMs } from '#app/ui/device/clock.ts'

/** An idle page refetches at most twice a minute, and each query at most once a minute. */
const MS_PER_REQUEST = 30_000
const SHORTEST_REST_MS = 60_000
/**
 * All browsers are notified of a closed hour at the same moment: a random part of this spreads
 * their requests.
 */
const SOONEST_MS = 10_000
const SPREAD_MS = 20_000

/**
 * Refetches queries on the screen together, some time after they changed; others once they are
 * shown again. `all`: the queries it may refetch; the page has just read them.
 */
export function refetcherLater(
  client: QueryClient,
  all: readonly RouteName[],
): (routes: readonly RouteName[]) => void {
  const waiting = new Set<unknown>(all)
  let timer: ReturnType<typeof setTimeout> | undefined
  let restedMs = 0
  const rest = () => {
    const shown = client
      .getQueryCache()
      .findAll({ type: 'active', predicate: ({ queryKey }) => waiting.has(queryKey[0]) })
    restedMs =
      steadyMs() +
      Math.max(
        SHORTEST_REST_MS,
        MS_PER_REQUEST * shown.reduce((sum, { state }) => sum + requestsFor(state.data), 0),
      )
    waiting.clear()
  }
  const refetch = () => {
    timer = undefined
    const routes = [...waiting]
    rest()
    for (const route of routes) void client.invalidateQueries({ queryKey: [route] })
  }
  rest()
  return (routes) => {
    for (const route of routes) {
      waiting.add(route)
      void client.invalidateQueries({ queryKey: [route], type: 'inactive', refetchType: 'none' })
    }
    timer ??= setTimeout(
      refetch,
      Math.max(SOONEST_MS + Math.random() * SPREAD_MS, restedMs - steadyMs()),
    )
  }
}

function requestsFor(data: unknown): number {
  return typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
    ? data.pages.length
    : 1
}
