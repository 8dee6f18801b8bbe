import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import type { RouteName } from '#contract/routes.ts'
import { openEventStream } from './event-stream.ts'

/** The queries that each event invalidates. `prices` carries its own data; everything valued at the last price is refetched. */
const CHANGED: Record<EventName, readonly RouteName[]> = {
  prices: ['getUser', 'getPortfolio', 'getBotPerformance'],
  balance: ['getUser', 'getPortfolio', 'getWithdrawalTerms'],
  bots: ['getPortfolio', 'getBotPerformance', 'listBotTrades'],
  transactions: ['listTransactions', 'getTransaction'],
  withdrawals: ['listWithdrawals', 'getUser'],
}

/** Queries that the stream keeps current; without it they go stale. */
export const KEPT_CURRENT: ReadonlySet<unknown> = new Set(['getPrices', ...Object.values(CHANGED).flat()])

/**
 * Listens to the server while someone is signed in. Events after `since`, the time at which the page's answers were read, arrive first.
 * Returns a function that stops it.
 */
export function listenToEvents(client: QueryClient, since = ''): () => void {
  const invalidate = invalidator(client)
  return openEventStream({
    since,
    onEvent: (name, data) => {
      if (name === 'prices') client.setQueryData(['getPrices'], JSON.parse(data))
      for (const route of CHANGED[name]) invalidate(route)
    },
    // Events during the outage were missed, so everything is refetched.
    onReopened: () => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'runBacktest' }),
  })
}

/** Minimum time between two refetches of a route: a market that runs fast sends several events a second. */
const INTERVAL_MS: Partial<Record<RouteName, number>> = { getUser: 3_000, getPortfolio: 5_000, getBotPerformance: 5_000, listBotTrades: 5_000 }
const USUAL_INTERVAL_MS = 1_000

/** Refetches at once, or once the minimum time since the last refetch has passed. Only what is on the screen is refetched. */
function invalidator(client: QueryClient): (route: RouteName) => void {
  const waiting = new Map<RouteName, boolean>()
  const refetch = (route: RouteName) => {
    waiting.set(route, false)
    void client.invalidateQueries({ queryKey: [route] })
    setTimeout(() => {
      const isDue = waiting.get(route) === true
      waiting.delete(route)
      if (isDue) refetch(route)
    }, INTERVAL_MS[route] ?? USUAL_INTERVAL_MS)
  }
  return (route) => {
    if (waiting.has(route)) waiting.set(route, true)
    else refetch(route)
  }
}
