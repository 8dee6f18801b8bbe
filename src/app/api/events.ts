import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import type { RouteName } from '#contract/routes.ts'
import { openEventStream } from './event-stream.ts'

/** What each event makes old. `prices` brings its own data, and everything that is valued at the last price is asked again. */
const CHANGED: Record<EventName, readonly RouteName[]> = {
  prices: ['getUser', 'getPortfolio', 'getBotPerformance'],
  balance: ['getUser', 'getPortfolio', 'getWithdrawalTerms'],
  bots: ['getPortfolio', 'getBotPerformance', 'listBotTrades'],
  transactions: ['listTransactions', 'getTransaction'],
  withdrawals: ['listWithdrawals', 'getUser'],
}

/** Answers that the stream keeps current: without it they grow old. */
export const KEPT_CURRENT: ReadonlySet<unknown> = new Set(['getPrices', ...Object.values(CHANGED).flat()])

/**
 * Listens to the server for as long as someone is signed in. What happened after `since`, when the page's answers were read, is told first.
 * Returns the way to stop.
 */
export function listenToEvents(client: QueryClient, since = ''): () => void {
  const invalidate = invalidator(client)
  return openEventStream({
    since,
    onEvent: (name, data) => {
      if (name === 'prices') client.setQueryData(['getPrices'], JSON.parse(data))
      for (const route of CHANGED[name]) invalidate(route)
    },
    // Whatever happened while the stream was away was not told: everything is asked again.
    onReopened: () => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'runBacktest' }),
  })
}

/** A route is asked again at most this often, however many events come: on a hurried market there are several a second. */
const INTERVAL_MS: Partial<Record<RouteName, number>> = { getUser: 3_000, getPortfolio: 5_000, getBotPerformance: 5_000, listBotTrades: 5_000 }
const USUAL_INTERVAL_MS = 1_000

/** Asks at once where the last question is long enough ago, else once when it is. Only what is on the screen is asked again. */
function invalidator(client: QueryClient): (route: RouteName) => void {
  const waiting = new Map<RouteName, boolean>()
  const ask = (route: RouteName) => {
    waiting.set(route, false)
    void client.invalidateQueries({ queryKey: [route] })
    setTimeout(() => {
      const askedMeanwhile = waiting.get(route) === true
      waiting.delete(route)
      if (askedMeanwhile) ask(route)
    }, INTERVAL_MS[route] ?? USUAL_INTERVAL_MS)
  }
  return (route) => {
    if (waiting.has(route)) waiting.set(route, true)
    else ask(route)
  }
}
