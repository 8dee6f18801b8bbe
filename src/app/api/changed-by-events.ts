import type { EventName } from '#contract/events.ts'
import type { RouteName } from '#contract/routes.ts'

/**
 * The queries that each event makes old, with the minimum time between two refetches because of it,
 * in milliseconds. `prices` and `pools` carry what changed: from them figures are computed, and
 * refetched later (`live-figures.ts`). Money of the user that moved is shown at once.
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
