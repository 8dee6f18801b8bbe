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

export const KEPT_CURRENT: ReadonlySet<unknown> = new Set(KEPT)
