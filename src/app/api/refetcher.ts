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

export type Refetcher = {
  /**
   * Marks a query as stale at once, and refetches it once `paceMs` have passed since its last
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
  const refetchedMs = new Map<string, number>()
  const changedMs = new Map<string, number>()
  const awaited = new Set<string>()
  const fetches = trackFetches(client)
  const schedule = openSchedule((route) => {
    awaited.delete(route)
    refetchedMs.set(route, steadyMs())
    refetchOld(client, {
      queryKey: [route],
      predicate: (query) => fetches.begunMs(query) < (changedMs.get(route) ?? Infinity),
    })
  })
  const plan = (route: string, dueMs: number) => {
    changedMs.set(route, steadyMs())
    void client.invalidateQueries({ queryKey: [route], refetchType: 'none' })
    schedule.plan(route, dueMs)
  }
  return {
    event: (route, paceMs) => {
      const nowMs = steadyMs()
      if (awaited.has(route)) return plan(route, nowMs + GATHER_MS)
      const patientMs = client.isMutating() > 0 ? PATIENCE_MS : GATHER_MS
      plan(route, Math.max(nowMs + patientMs, (refetchedMs.get(route) ?? -Infinity) + paceMs))
    },
    action: (route) => {
      if (!covered.has(route)) return void client.invalidateQueries({ queryKey: [route] })
      const hasEvent = schedule.has(route)
      awaited.add(route)
      plan(route, steadyMs() + (hasEvent ? GATHER_MS : PATIENCE_MS))
    },
    close: () => {
      fetches.stop()
      schedule.close()
    },
  }
}

function trackFetches(client: QueryClient) {
  const begunMs = new WeakMap<Query, number>()
  const stop = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch')
      begunMs.set(event.query, steadyMs())
  })
  return { begunMs: (query: Query) => begunMs.get(query) ?? -Infinity, stop }
}

function openSchedule(run: (route: string) => void) {
  const plans = new Map<string, { dueMs: number; timer: ReturnType<typeof setTimeout> }>()
  return {
    has: (route: string) => plans.has(route),
    plan: (route: string, dueMs: number) => {
      const before = plans.get(route)
      if (before !== undefined && before.dueMs <= dueMs) return
      clearTimeout(before?.timer)
      const begin = () => {
        plans.delete(route)
        run(route)
      }
      plans.set(route, { dueMs, timer: setTimeout(begin, dueMs - steadyMs()) })
    },
    close: () => {
      for (const { timer } of plans.values()) clearTimeout(timer)
    },
  }
}

/**
 * A first answer that is under way is not started again: it may be from before the change, so its
 * query is refetched after it.
 */
function refetchOld(
  client: QueryClient,
  old: { queryKey: string[]; predicate: (query: Query) => boolean },
): void {
  const { queryKey } = old
  const isFirst =
    client.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0
  const refetched = client.invalidateQueries(old)
  if (isFirst) void refetched.then(() => client.invalidateQueries(old))
}
