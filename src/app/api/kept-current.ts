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

/** Queries that the stream keeps current: those of `follow-events.ts` and prices. */
export const KEPT_CURRENT: ReadonlySet<unknown> = new Set(KEPT)
