import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import type { CallName, routes } from '#contract/routes.ts'

export type Read = {
  [Name in CallName]: (typeof routes)[Name]['method'] extends 'GET' ? Name : never
}[CallName]

/**
 * When an answer on the screen is refetched: after these events (`prices` only if an hour closed),
 * or on each visit, where no event reports a change. Others never are. Events mark an answer that
 * is not on the screen as old. Their pace: `follow-plan.ts`.
 */
export const FRESHNESS: Partial<Record<Read, readonly EventName[] | 'visit'>> = {
  getUser: ['balance', 'withdrawals', 'notices'],
  // Events carry the prices.
  getPrices: [],
  getPortfolio: ['balance', 'bots', 'prices', 'pools'],
  getBotPerformance: ['bots', 'prices', 'pools'],
  listBots: ['bots'],
  listBotTrades: ['bots', 'pools'],
  // `use-market.ts` refetches after a closed hour.
  getMarket: ['bots', 'pools'],
  listTransactions: ['transactions', 'withdrawals', 'pools'],
  getTransaction: ['transactions', 'withdrawals'],
  listWithdrawals: ['withdrawals'],
  listBankAccounts: ['withdrawals'],
  getWithdrawalTerms: ['balance', 'withdrawals'],
  listNotices: ['notices'],

  getFactors: 'visit',
  getProtections: 'visit',
  listSessions: 'visit',
  listSignIns: 'visit',
  getClosing: 'visit',
  getMailbox: 'visit',
}

export const isFollowed = (name: unknown): boolean => typeof FRESHNESS[name as Read] === 'object'

/** For use after an outage. Results computed for an input do not change. */
export function refetchAll(client: QueryClient, except: readonly Read[] = []): Promise<void> {
  const stay: readonly unknown[] = ['runBacktest', ...except]
  return client.invalidateQueries({ predicate: ({ queryKey }) => !stay.includes(queryKey[0]) })
}
