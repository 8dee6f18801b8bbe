import { noop, type Query, type QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import { steadyMs } from '#app/ui/device/clock.ts'
import { changedBy, LATER, PACES, staleAfter } from './follow-plan.ts'
import type { Change } from './actions-table.ts'
import { answeredMs } from './answer-times.ts'
import { isFollowed, type Read } from './freshness.ts'

/** Time to collect events, because the events of one change arrive together. */
const GATHER_MS = 50

/** Maximum time for which an action and its events wait for each other. */
const PATIENCE_MS = 1_000

/** Later refetches are at most two requests a minute, and at most one a minute for each query. */
const MS_PER_REQUEST = 30_000
const SHORTEST_REST_MS = 60_000
/**
 * All browsers are notified of a closed hour at the same moment: a random part of `SPREAD_MS`
 * spreads their requests.
 */
const SOONEST_MS = 10_000
const SPREAD_MS = 20_000

export type Refetcher = {
  event: (name: EventName) => void
  /** Refetches each query that the user's action changed; only once if its event arrives too. */
  changed: (changes: readonly Change[]) => void
  /** Refetches a query once `paceMs` have passed since its last request or answer. */
  paced: (route: Read, paceMs: number) => void
  close: () => void
}

/** Refetches only queries on the screen, and only if no fetch has begun since the change. */
export function openRefetcher(client: QueryClient): Refetcher {
  const fetches = trackFetches(client)
  const soon = openSoon(client, fetches)
  const later = openSchedule(client, fetches)
  const nextBatchMs = openBatches(client)
  const planLater = (route: Read, dueMs: number) => later.plan(route, dueMs, noop, 'inactive')
  return {
    event: (name) => {
      const pace = PACES[name]
      for (const route of staleAfter(name)) {
        if (pace === LATER) planLater(route, nextBatchMs(route))
        else soon.event(route, pace)
      }
    },
    changed: (changes) => {
      for (const route of changedBy(changes)) {
        if (isFollowed(route)) soon.action(route)
        else void client.invalidateQueries({ queryKey: [route] })
      }
    },
    paced: (route, paceMs) => {
      const lastMs = activeOf(client, new Set([route])).map((query) =>
        Math.max(fetches.begunMs(query), answeredMs(query)),
      )
      planLater(route, Math.max(steadyMs(), ...lastMs.map((ms) => ms + paceMs)))
    },
    close: () => {
      fetches.stop()
      soon.close()
      later.close()
    },
  }
}

type Fetches = ReturnType<typeof trackFetches>

function openSoon(client: QueryClient, fetches: Fetches) {
  const refetchedMs = new Map<Read, number>()
  /** Queries changed by an action whose event has not arrived yet. */
  const awaited = new Set<Read>()
  const { has, plan, close } = openSchedule(client, fetches)
  const planIn = (route: Read, ms: number) =>
    plan(route, steadyMs() + ms, () => {
      awaited.delete(route)
      refetchedMs.set(route, steadyMs())
    })
  return {
    event: (route: Read, paceMs: number) => {
      if (awaited.has(route)) return planIn(route, GATHER_MS)
      const patientMs = client.isMutating() > 0 ? PATIENCE_MS : GATHER_MS
      const restMs = (refetchedMs.get(route) ?? -Infinity) + paceMs - steadyMs()
      planIn(route, Math.max(patientMs, restMs))
    },
    action: (route: Read) => {
      const waitMs = has(route) ? GATHER_MS : PATIENCE_MS
      awaited.add(route)
      planIn(route, waitMs)
    },
    close,
  }
}

/**
 * `orderOf`: the number of a query's last fetch in the sequence of all fetches and changes. Times
 * would not do: coarse clocks give the same time twice.
 */
function trackFetches(client: QueryClient) {
  const begun = new WeakMap<Query, { ms: number; order: number }>()
  let order = 0
  const next = () => (order += 1)
  const stop = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch')
      begun.set(event.query, { ms: steadyMs(), order: next() })
  })
  return {
    begunMs: (query: Query) => begun.get(query)?.ms ?? -Infinity,
    orderOf: (query: Query) => begun.get(query)?.order ?? 0,
    next,
    stop,
  }
}

/**
 * Adds a query to the next batch and returns the time of the batch. The answers that came with the
 * page count as a batch.
 */
function openBatches(client: QueryClient): (route: Read) => number {
  let batch = {
    atMs: steadyMs(),
    routes: new Set<unknown>(staleAfter('pools')),
  }
  return (route) => {
    const nowMs = steadyMs()
    if (batch.atMs <= nowMs) {
      const requests = activeOf(client, batch.routes).map(({ state }) => requestsFor(state.data))
      const restMs = MS_PER_REQUEST * requests.reduce((sum, count) => sum + count, 0)
      batch = {
        atMs: Math.max(
          nowMs + SOONEST_MS + Math.random() * SPREAD_MS,
          batch.atMs + Math.max(SHORTEST_REST_MS, restMs),
        ),
        routes: new Set(),
      }
    }
    batch.routes.add(route)
    return batch.atMs
  }
}

function activeOf(client: QueryClient, routes: ReadonlySet<unknown>): Query[] {
  return client
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ queryKey }) => routes.has(queryKey[0]) })
}

function requestsFor(data: unknown): number {
  return typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
    ? data.pages.length
    : 1
}

/** If a query has several plans, the earliest is used. */
function openSchedule(client: QueryClient, fetches: Fetches) {
  const plans = new Map<Read, { dueMs: number; timer: ReturnType<typeof setTimeout> }>()
  const changes = new Map<Read, number>()
  const run = (route: Read) => {
    plans.delete(route)
    const isOld = (query: Query) => fetches.orderOf(query) < (changes.get(route) ?? Infinity)
    refetchOld(client, { queryKey: [route], predicate: isOld })
  }
  return {
    has: (route: Read) => plans.has(route),
    /** `type`: the queries that are marked as stale at once, before the refetch. */
    plan: (route: Read, dueMs: number, onRun: () => void, type: 'all' | 'inactive' = 'all') => {
      changes.set(route, fetches.next())
      void client.invalidateQueries({ queryKey: [route], type, refetchType: 'none' })
      const before = plans.get(route)
      if (before !== undefined && before.dueMs <= dueMs) return
      clearTimeout(before?.timer)
      const begin = () => {
        onRun()
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
 * A first fetch under way is not restarted; because its answer may be from before the change, the
 * query is refetched afterwards.
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
