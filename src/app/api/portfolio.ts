import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Portfolio } from '#contract/market.ts'
import type { QueryKey } from '#contract/query-key.ts'
import type { Balances } from '#contract/wire.ts'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { call } from './call.ts'

export type Range = Portfolio['range']

/**
 * Everything the user owns, in one answer. Only one range is cached at a time, since another could
 * bring back an older balance. Until the answer for a new range arrives, the cached one is shown.
 */
export function usePortfolio(range: Range) {
  const client = useQueryClient()
  return useQuery<Portfolio>({
    queryKey: ['getPortfolio', range] satisfies QueryKey,
    queryFn: async ({ signal }) => {
      const portfolio = await call('getPortfolio', { query: { range }, signal })
      client.removeQueries({ queryKey: ['getPortfolio'], type: 'inactive' })
      return portfolio
    },
    placeholderData: (before) => before ?? knownPortfolio(client),
  })
}

export type PortfolioResult = ReturnType<typeof usePortfolio>

/** Undefined while there is none, and after an error, which the screen shows instead. */
export function shownPortfolio({ isError, data }: PortfolioResult): Portfolio | undefined {
  return isError ? undefined : data
}

/**
 * The balances of the portfolio; without one, the user's own, unless a part is in bots: its worth
 * moves with the prices, and those balances do not.
 */
export function knownBalances(portfolio: PortfolioResult, user: Balances): Balances | undefined {
  return shownPortfolio(portfolio) ?? (isPositiveAmount(user.investedBalance) ? undefined : user)
}

function knownPortfolio(client: QueryClient): Portfolio | undefined {
  return client
    .getQueriesData<Portfolio>({ queryKey: ['getPortfolio'] })
    .find(([, portfolio]) => portfolio !== undefined)?.[1]
}

/**
 * Drops portfolios from before money moved on another screen: their old balance must not flash up
 * again.
 */
export function forgetPortfoliosBefore(client: QueryClient, user: Balances): void {
  client.removeQueries({
    queryKey: ['getPortfolio'],
    type: 'inactive',
    predicate: ({ state }) => cashOf(state.data as Portfolio | undefined) !== cashOf(user),
  })
}

function cashOf(balances: Balances | undefined): string {
  return `${balances?.availableBalance} ${balances?.heldBalance}`
}
