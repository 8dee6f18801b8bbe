import type { RouteName } from '#contract/routes.ts'

const KEPT = [
  'getPrices',
  'getUser',
  'getPortfolio',
  'getWithdrawalTerms',
  'getBotPerformance',
  'listBotTrades',
  'getMarket',
  'listTransactions',
  'getTransaction',
  'listWithdrawals',
  'listBankAccounts',
  'listNotices',
] as const satisfies RouteName[]

/**
 * Queries that the stream keeps current, which are those of `changed-by-events.ts` and prices;
 * without it they go stale.
 */
export const KEPT_CURRENT: ReadonlySet<unknown> = new Set(KEPT)
