import type { QueryClient, UseQueryResult } from '@tanstack/react-query'
import type { Portfolio } from '#contract/market.ts'
import type { Balances } from '#contract/wire.ts'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'

export type PortfolioResult = UseQueryResult<Portfolio>

/**
 * The portfolio to show: undefined while it loads, and after an error, which the screen shows
 * instead.
 */
export function shownPortfolio({ isError, data }: PortfolioResult): Portfolio | undefined {
  return isError ? undefined : data
}

/**
 * The portfolio's balances. Until it has loaded, the user's balances, unless money is in bots,
 * because its worth may have changed.
 */
export function knownBalances(portfolio: PortfolioResult, user: Balances): Balances | undefined {
  return shownPortfolio(portfolio) ?? (isPositiveAmount(user.investedBalance) ? undefined : user)
}

/**
 * Drops a portfolio that was read before money moved on another screen, so that its old balance is
 * not shown again.
 */
export function forgetPortfolioBefore(client: QueryClient, user: Balances): void {
  client.removeQueries({
    queryKey: ['getPortfolio'],
    type: 'inactive',
    predicate: ({ state }) => cashOf(state.data as Portfolio | undefined) !== cashOf(user),
  })
}

function cashOf(balances: Balances | undefined): string {
  return `${balances?.availableBalance} ${balances?.heldBalance}`
}
