import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import type { RouteName } from '#contract/routes.ts'
import { openLiveFigures } from './live-figures.ts'
import { openRefetcher, type Refetcher } from './refetcher.ts'

/**
 * Queries that each event makes old, with the minimum time between two refetches because of it, in
 * milliseconds. `prices` and `pools` carry figures (`live-figures.ts`). Money of the user that
 * moved is shown at once.
 */
export const CHANGED: Record<EventName, Partial<Record<RouteName, number>>> = {
  prices: {},
  pools: {},
  balance: { getUser: 1_000, getPortfolio: 1_000, getWithdrawalTerms: 1_000 },
  bots: { getPortfolio: 5_000, getBotPerformance: 5_000, listBotTrades: 5_000, getMarket: 5_000 },
  transactions: { listTransactions: 5_000, getTransaction: 5_000 },
  withdrawals: {
    listWithdrawals: 1_000,
    getUser: 1_000,
    getWithdrawalTerms: 1_000,
    listBankAccounts: 1_000,
    listTransactions: 5_000,
    getTransaction: 5_000,
  },
  notices: { listNotices: 1_000, getUser: 1_000 },
}

const COVERED: ReadonlySet<string> = new Set(Object.values(CHANGED).flatMap(Object.keys))

export type Follower = {
  event: (name: EventName, data: string) => void
  action: Refetcher['action']
  forget: () => void
  close: () => void
}

export function openFollower(client: QueryClient): Follower {
  const figures = openLiveFigures(client)
  const refetcher = openRefetcher(client, COVERED)
  return {
    event: (name, data) => {
      if (name === 'prices' || name === 'pools') figures[name](JSON.parse(data))
      for (const [route, paceMs] of Object.entries(CHANGED[name])) refetcher.event(route, paceMs)
    },
    action: refetcher.action,
    forget: figures.forget,
    close: () => {
      figures.close()
      refetcher.close()
    },
  }
}
