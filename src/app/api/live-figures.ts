import type { QueryClient } from '@tanstack/react-query'
import type { BotPerformance } from '#contract/bots.ts'
import type { PoolStates } from '#contract/holdings.ts'
import type { Portfolio, Prices, PriceTicks } from '#contract/market.ts'
import type { RouteName } from '#contract/routes.ts'
import { performanceAt } from './bot-at.ts'
import { portfolioAt } from './portfolio-at.ts'
import type { MarketNow } from './priced-pools.ts'
import { refetcherLater } from './refetch-later.ts'
import { withTicks } from './with-ticks.ts'

/** Queries with figures that are valued at the last prices; a closed hour changes their curves, and the reasons of strategies. */
const VALUED: readonly RouteName[] = ['getPortfolio', 'getBotPerformance']
/** Queries with trades. */
const TRADED: readonly RouteName[] = [...VALUED, 'listBotTrades', 'listTransactions', 'getMarket']

/** The minimum time between two attempts to load prices that failed to load. */
const RECOVERY_PACE_MS = 5_000

/** How old a kept answer may be before the figures computed since are kept in its place, for use without a network. */
const KEPT_MS = 30_000

/** Refetches a query once `paceMs` have passed since its last refetch. */
export type Invalidate = (route: string, paceMs: number) => void

export type LiveFigures = {
  prices: (ticks: PriceTicks) => void
  /** Without a state, bots of many users moved. */
  pools: (states: PoolStates) => void
  /** Events were missed, so everything is refetched. */
  forget: () => void
}

/**
 * Follows prices and pools without asking the server: worth is computed from the holdings of an answer, all figures of it together. This code comes
 * with the first such event.
 */
export function openLiveFigures(client: QueryClient, invalidate: Invalidate): LiveFigures {
  let states: PoolStates = {}
  const refetchLater = refetcherLater(client, TRADED)
  const value = () => {
    const prices = client.getQueryData<Prices>(['getPrices'])
    if (prices === undefined) return refetchLater(VALUED)
    const market: MarketNow = { prices, states }
    revalue<Portfolio>(client, 'getPortfolio', (portfolio) => portfolioAt(portfolio, market))
    revalue<BotPerformance>(client, 'getBotPerformance', (performance) => performanceAt(performance, market))
  }
  return {
    prices: (ticks) => {
      client.setQueryData<Prices>(['getPrices'], (prices) => prices && withTicks(prices, ticks))
      // The event proves that there are prices by now.
      if (client.getQueryState(['getPrices'])?.status === 'error') invalidate('getPrices', RECOVERY_PACE_MS)
      value()
      if (Object.values(ticks).some(({ closes }) => closes !== undefined)) refetchLater(VALUED)
    },
    pools: (changed) => {
      const newer = Object.entries(changed).filter(([id, { number }]) => number > (states[id]?.number ?? 0))
      states = { ...states, ...Object.fromEntries(newer) }
      value()
      refetchLater(TRADED)
    },
    forget: () => (states = {}),
  }
}

/** Also of screens that are not shown, so that they open with what they are worth now. An answer that is old stays so, and an error is shown. */
function revalue<Answer>(client: QueryClient, route: RouteName, at: (answer: Answer) => Answer): void {
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: [route] })) {
    const answer = state.data as Answer | undefined
    const valued = answer && at(answer)
    if (valued === answer || state.status !== 'success') continue
    const { isInvalidated, dataUpdatedAt } = state
    client.setQueryData<Answer>(queryKey, valued, Date.now() - dataUpdatedAt < KEPT_MS ? { updatedAt: dataUpdatedAt } : {})
    if (isInvalidated) void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  }
}
