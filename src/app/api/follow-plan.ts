import { EVENT_NAMES, type EventName } from '#contract/events.ts'
import type { Change } from './actions-table.ts'
import { FOLLOWED, type Followed, type Read } from './freshness.ts'

/**
 * Events that make an answer stale (`prices`: only if an hour closed). An answer on the screen is
 * then refetched, at most as often as `PACES` allows.
 */
export const FRESHNESS: Record<Followed, readonly EventName[]> = {
  getUser: ['balance', 'withdrawals', 'notices'],
  // Events contain the prices.
  getPrices: [],
  getPortfolio: ['balance', 'bots', 'prices', 'pools'],
  // The curve grows with the portfolio (`live-figures.ts`), but its trades do not.
  getBalanceCurve: ['balance', 'pools'],
  getBotPerformance: ['bots', 'prices', 'pools'],
  listBots: ['bots'],
  listBotTrades: ['bots', 'pools'],
  // After a closed hour, `use-market.ts` refetches it.
  getMarket: ['bots', 'pools'],
  listTransactions: ['transactions', 'withdrawals', 'pools'],
  getTransaction: ['transactions', 'withdrawals'],
  listWithdrawals: ['withdrawals'],
  listBankAccounts: ['withdrawals'],
  getWithdrawalTerms: ['balance', 'withdrawals'],
  listNotices: ['notices'],
}

/**
 * Refetched rarely and together, because worth is computed on the page at once (`live-figures.ts`).
 */
export const LATER = 'later'

/** Minimum milliseconds between two refetches because of an event. */
export const PACES: Record<EventName, number | typeof LATER> = {
  balance: 1_000,
  withdrawals: 1_000,
  notices: 1_000,
  // At most this often, because bots may trade frequently.
  bots: 5_000,
  transactions: 5_000,
  prices: LATER,
  pools: LATER,
}

/** The queries that an event makes stale. */
export function staleAfter(event: EventName): Followed[] {
  return FOLLOWED.filter((route) => FRESHNESS[route].includes(event))
}

/** The queries that an action's changes make stale. */
export function changedBy(changes: readonly Change[]): Read[] {
  const routes = changes.flatMap((change) => (isEvent(change) ? staleAfter(change) : [change]))
  return [...new Set(routes)]
}

function isEvent(change: Change): change is EventName {
  return EVENT_NAMES.some((name) => name === change)
}
