import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import type { RouteName } from '#contract/routes.ts'
import { openEventStream } from './event-stream.ts'
import type { Invalidate, LiveFigures } from './live-figures.ts'

/**
 * The queries that each event makes old, with the minimum time between two refetches because of it, in milliseconds. `prices` and `pools` carry what
 * changed: from them figures are computed, and refetched later (`live-figures.ts`). Money of the user that moved is shown at once.
 */
const CHANGED: Record<EventName, Partial<Record<RouteName, number>>> = {
  prices: {},
  pools: {},
  balance: { getUser: 1_000, getPortfolio: 1_000, getWithdrawalTerms: 1_000 },
  bots: { getPortfolio: 5_000, getBotPerformance: 5_000, listBotTrades: 5_000, getMarket: 5_000 },
  transactions: { listTransactions: 5_000, getTransaction: 5_000 },
  withdrawals: { listWithdrawals: 1_000, getUser: 1_000 },
  notices: { listNotices: 1_000, getUser: 1_000 },
}

const COMPUTED = ['getPrices', 'getPortfolio', 'getBotPerformance']

/** Queries that the stream keeps current; without it they go stale. */
export const KEPT_CURRENT: ReadonlySet<unknown> = new Set([...COMPUTED, ...Object.values(CHANGED).flatMap(Object.keys)])

/**
 * Listens to the server while someone is signed in. Events after `since`, the moment at which the page's answers were read, arrive first.
 * Returns a function that stops it.
 */
export function listenToEvents(client: QueryClient, since = ''): () => void {
  const invalidate = invalidator(client)
  /** The code that computes figures comes with the first event for it. Without it, all that it computes is refetched. */
  let figures: Promise<LiveFigures> | undefined
  const follow = (show: (live: LiveFigures) => void) => {
    figures ??= import('./live-figures.ts').then(({ openLiveFigures }) => openLiveFigures(client, invalidate))
    figures.then(show, () => {
      figures = undefined
      for (const route of COMPUTED) invalidate(route, 30_000)
    })
  }
  return openEventStream({
    since,
    onEvent: (name, data) => {
      if (name === 'prices' || name === 'pools') follow((live) => live[name](JSON.parse(data)))
      for (const [route, paceMs] of Object.entries(CHANGED[name])) invalidate(route, paceMs)
    },
    // Events during the outage were missed, so everything is refetched.
    onReopened: () => {
      if (figures) follow(({ forget }) => forget())
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'runBacktest' })
    },
  })
}

/** Events of one change arrive together: they are gathered, so that each query is refetched once. */
const GATHER_MS = 50

type Plan = { dueMs: number; timer: ReturnType<typeof setTimeout> }

/**
 * Marks a query as old at once, and refetches it once `paceMs` have passed since its last refetch. Only what is on the screen is refetched. A
 * first answer that is under way is not started again: it may be from before the event, so that query is refetched after it.
 */
function invalidator(client: QueryClient): Invalidate {
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
