import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Portfolio } from '#contract/market.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { FIRST_RANGE } from '#contract/query-values.ts'
import type { Balances } from '#contract/wire.ts'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { call } from './call.ts'

export type Range = Portfolio['range']

const chosen = new WeakMap<QueryClient, Range>()

/** Everything the user owns: one answer for all screens, with the curve of the chosen range. */
export function usePortfolio() {
  return useQuery({
    queryKey: ['getPortfolio'] satisfies QueryKey,
    queryFn: ({ client, signal }) =>
      call('getPortfolio', { query: { range: chosenRange(client) }, signal }),
  })
}

/** Until the answer for a new range arrives, the one before is shown. */
export function useRange(): [Range, (range: Range) => void] {
  const client = useQueryClient()
  const [range, setRange] = useState(() => chosenRange(client))
  const choose = (next: Range) => {
    chosen.set(client, next)
    setRange(next)
    void client.invalidateQueries({ queryKey: ['getPortfolio'] })
  }
  return [range, choose]
}

function chosenRange(client: QueryClient): Range {
  const known = client.getQueryData<Portfolio>(['getPortfolio'])
  return chosen.get(client) ?? known?.range ?? FIRST_RANGE
}

export type PortfolioResult = ReturnType<typeof usePortfolio>

/** Undefined while there is none, and after an error, which the screen shows instead. */
export function shownPortfolio({ isError, data }: PortfolioResult): Portfolio | undefined {
  return isError ? undefined : data
}

/**
 * The portfolio's balances; without one, the user's, unless a part is in bots, whose worth moves.
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
