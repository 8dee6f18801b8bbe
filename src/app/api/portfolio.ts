import type { QueryClient, UseQueryResult } from '@tanstack/react-query'
import type { Portfolio } from '#contract/market.ts'
import type { Balances } from '#contract/wire.ts'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'

export type PortfolioResult = UseQueryResult<Portfolio>

/** Undefined while there is none, and after an error, which the screen shows instead. */
export function shownPortfolio({ isError, data }: PortfolioResult): Portfolio | undefined {
  return isError ? undefined : data
}

/**
 * The portfolio's balances. Until it has loaded, the user's balances, unless some money is in bots,
 * whose worth moves.
 */
export function knownBalances(portfolio: PortfolioResult, user: Balances): Balances | undefined {
  return shownPortfolio(portfolio) ?? (isPositiveAmount(user.investedBalance) ? undefined : user)
}

/**
 * Drops a portfolio from before money moved on another screen: its old balance must not flash up
 * again.
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
