import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import type { Prices, PriceTicks } from '#contract/market.ts'
import type { RouteName } from '#contract/routes.ts'
import { openEventStream } from './event-stream.ts'
import { withTicks } from './with-ticks.ts'

/**
 * The queries that each event makes old, with the minimum time between two refetches because of it, in milliseconds. `prices` carries its own
 * data; everything valued at the last price is refetched. Money of the user that moved is shown at once. A market that runs fast changes prices
 * all the time: refetching what they are worth more often than twice a minute would cost a phone its battery and its data, and the server a request
 * for each open page.
 */
const CHANGED: Record<EventName, Partial<Record<RouteName, number>>> = {
  prices: { getPortfolio: 30_000, getBotPerformance: 30_000 },
  balance: { getUser: 1_000, getPortfolio: 1_000, getWithdrawalTerms: 1_000 },
  bots: { getPortfolio: 30_000, getBotPerformance: 5_000, listBotTrades: 5_000, getMarket: 5_000 },
  transactions: { listTransactions: 5_000, getTransaction: 5_000 },
  withdrawals: { listWithdrawals: 1_000, getUser: 1_000 },
  notices: { listNotices: 1_000, getUser: 1_000 },
}

/** The minimum time between two attempts to load prices that failed to load. */
const RECOVERY_PACE_MS = 5_000

/** Queries that the stream keeps current; without it they go stale. */
export const KEPT_CURRENT: ReadonlySet<unknown> = new Set(['getPrices', ...Object.values(CHANGED).flatMap(Object.keys)])

/**
 * Listens to the server while someone is signed in. Events after `since`, the moment at which the page's answers were read, arrive first.
 * Returns a function that stops it.
 */
export function listenToEvents(client: QueryClient, since = ''): () => void {
  const invalidate = invalidator(client)
  const showPrices = (ticks: PriceTicks) => {
    client.setQueryData<Prices>(['getPrices'], (prices) => prices && withTicks(prices, ticks))
    // The event proves that there are prices by now.
    if (client.getQueryState(['getPrices'])?.status === 'error') invalidate('getPrices', RECOVERY_PACE_MS)
  }
  return openEventStream({
    since,
    onEvent: (name, data) => {
      if (name === 'prices') showPrices(JSON.parse(data))
      for (const [route, paceMs] of Object.entries(CHANGED[name])) invalidate(route, paceMs)
    },
    // Events during the outage were missed, so everything is refetched.
    onReopened: () => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'runBacktest' }),
  })
}

/** Events of one change arrive together: they are gathered, so that each query is refetched once. */
const GATHER_MS = 50

type Plan = { dueMs: number; timer: ReturnType<typeof setTimeout> }

/**
 * Marks a query as old at once, and refetches it once `paceMs` have passed since its last refetch. Only what is on the screen is refetched. A
 * first answer that is under way is not started again: it may be from before the event, so that query is refetched after it.
 */
function invalidator(client: QueryClient): (route: string, paceMs: number) => void {
  const plans = new Map<string, Plan>()
  const refetchedMs = new Map<string, number>()
  const refetch = (route: string) => {
    plans.delete(route)
    refetchedMs.set(route, Date.now())
    const isFirst = client.isFetching({ queryKey: [route], predicate: ({ state }) => state.data === undefined }) > 0
    const refetched = client.invalidateQueries({ queryKey: [route] })
    if (isFirst) void refetched.then(() => client.invalidateQueries({ queryKey: [route] }))
  }
  return (route, paceMs) => {
    void client.invalidateQueries({ queryKey: [route], refetchType: 'none' })
    const dueMs = Math.max(Date.now() + GATHER_MS, (refetchedMs.get(route) ?? 0) + paceMs)
    const plan = plans.get(route)
    if (plan !== undefined && plan.dueMs <= dueMs) return
    clearTimeout(plan?.timer)
    plans.set(route, { dueMs, timer: setTimeout(() => refetch(route), dueMs - Date.now()) })
  }
}
