import type { Query, QueryClient } from '@tanstack/react-query'
import { steadyMs } from '#app/ui/device/clock.ts'

/**
 * Events of one change arrive together: they are gathered, so that each query is refetched once.
 */
const GATHER_MS = 50

/**
 * An action and its events belong together: each waits this long for the other, so that each query
 * is refetched once for both.
 */
const PATIENCE_MS = 1_000

type Plan = { dueMs: number; timer: ReturnType<typeof setTimeout> }

export type Refetcher = {
  /**
   * Marks a query as old at once, and refetches it once `paceMs` have passed since its last
   * refetch.
   */
  event: (route: string, paceMs: number) => void
  /**
   * The user's own action changed a query: its event refetches it at once. Without one, it is
   * refetched all the same.
   */
  action: (route: string) => void
  close: () => void
}

/**
 * Only what is on the screen is refetched, and only if no fetch has begun since the change.
 * `covered`: the queries that events change.
 */
export function openRefetcher(client: QueryClient, covered: ReadonlySet<string>): Refetcher {
  const plans = new Map<string, Plan>()
  const refetchedMs = new Map<string, number>()
  const changedMs = new Map<string, number>()
  const awaited = new Set<string>()
  const begunMs = new WeakMap<object, number>()
  const stop = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch')
      begunMs.set(event.query, steadyMs())
  })
  const isOld = (route: string) => (query: Query) =>
    (begunMs.get(query) ?? -Infinity) < (changedMs.get(route) ?? Infinity)
  const refetch = (route: string) => {
    plans.delete(route)
    awaited.delete(route)
    refetchedMs.set(route, steadyMs())
    const old = { queryKey: [route], predicate: isOld(route) }
    // A first answer that is under way is not started again: it may be from before the change, so
    // its query is refetched after it.
    const isFirst =
      client.isFetching({ queryKey: [route], predicate: ({ state }) => state.data === undefined }) >
      0
    const refetched = client.invalidateQueries(old)
    if (isFirst) void refetched.then(() => client.invalidateQueries(old))
  }
  const plan = (route: string, dueMs: number) => {
    changedMs.set(route, steadyMs())
    void client.invalidateQueries({ queryKey: [route], refetchType: 'none' })
    const before = plans.get(route)
    if (before !== undefined && before.dueMs <= dueMs) return
    clearTimeout(before?.timer)
    plans.set(route, { dueMs, timer: setTimeout(() => refetch(route), dueMs - steadyMs()) })
  }
  return {
    event: (route, paceMs) => {
      const paced = (refetchedMs.get(route) ?? -Infinity) + paceMs
      const patientMs = client.isMutating() > 0 ? PATIENCE_MS : GATHER_MS
      plan(
        route,
        awaited.has(route) ? steadyMs() + GATHER_MS : Math.max(steadyMs() + patientMs, paced),
      )
    },
    action: (route) => {
      if (!covered.has(route)) return void client.invalidateQueries({ queryKey: [route] })
      const isHeard = plans.has(route)
      awaited.add(route)
      plan(route, steadyMs() + (isHeard ? GATHER_MS : PATIENCE_MS))
    },
    close: () => {
      stop()
      for (const { timer } of plans.values()) clearTimeout(timer)
    },
  }
}
