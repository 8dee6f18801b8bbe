import type { CallName, routes } from '#contract/routes.ts'

export type Read = {
  [Name in CallName]: (typeof routes)[Name]['method'] extends 'GET' ? Name : never
}[CallName]

/**
 * Queries whose answers events keep fresh, as `follow-plan.ts` defines. Others are refetched on
 * each visit (`use-visited.ts`), or never. A file of its own, because the plan is loaded only with
 * the first event.
 */
export const FOLLOWED = [
  'getUser',
  'getPrices',
  'getPortfolio',
  'getBalanceCurve',
  'getBotPerformance',
  'listBots',
  'listBotTrades',
  'getMarket',
  'listTransactions',
  'getTransaction',
  'listWithdrawals',
  'listBankAccounts',
  'getWithdrawalTerms',
  'listNotices',
] as const satisfies Read[]
export type Followed = (typeof FOLLOWED)[number]

export const isFollowed = (name: unknown): boolean => FOLLOWED.some((each) => each === name)
