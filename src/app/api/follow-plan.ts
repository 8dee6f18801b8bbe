import { EVENT_NAMES, type EventName } from '#contract/events.ts'
import type { CallName } from '#contract/routes.ts'
import { FOLLOWED, type Followed, type Read } from './freshness.ts'

/**
 * Events that make an answer stale (`prices`: only if an hour closed). An answer on the screen is
 * refetched at the pace of the event.
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

const SECURITY = ['getFactors', 'listSessions'] as const
const ACCOUNTS = ['listBankAccounts', 'getWithdrawalTerms', 'listWithdrawals'] as const

/**
 * The effects of each action of the user: events that follow it, or single answers. An action that
 * changes only its own answer has a hook that caches it.
 */
export const CHANGES = {
  createBot: ['balance', 'transactions', 'bots'],
  updateBot: ['bots'],
  deleteBot: ['bots'],
  topUpBot: ['balance', 'transactions', 'bots'],
  takeOutOfBot: ['bots'],
  setPlan: ['bots'],
  endPlan: ['bots'],
  stopAll: ['bots'],
  simulateBot: [],

  createPaymentIntent: [],
  payWithSandboxCard: [],
  confirmDeposit: ['balance', 'transactions', 'withdrawals'],

  addBankAccount: ACCOUNTS,
  removeBankAccount: ACCOUNTS,
  makeBankAccountDefault: ACCOUNTS,
  requestWithdrawal: ['balance', 'transactions', 'withdrawals'],
  cancelWithdrawal: ['balance', 'transactions', 'withdrawals'],
  updateProtections: ['getProtections', 'getWithdrawalTerms'],

  readNotices: ['notices'],
  askHelp: [],

  getWalletNonce: [],
  verifyWallet: ['listWallets'],
  disconnectWallet: ['listWallets'],
  getWalletBalance: ['listWallets'],

  makeProof: [],
  changePassword: ['listSessions'],
  endSession: ['listSessions'],
  endOtherSessions: ['listSessions'],
  addPasskey: SECURITY,
  renamePasskey: ['getFactors'],
  removePasskey: SECURITY,
  startAuthenticator: [],
  addAuthenticator: SECURITY,
  removeAuthenticator: SECURITY,
  renewRecoveryCodes: SECURITY,
  sendVerification: [],
  verifyEmail: ['getUser'],
  requestReset: [],
  resetPassword: [],
  disown: ['getUser'],
} as const satisfies Partial<Record<CallName, readonly (EventName | Read)[]>>

export type ActingName = keyof typeof CHANGES

/** The queries that an event makes stale. */
export function staleAfter(event: EventName): Followed[] {
  return FOLLOWED.filter((route) => FRESHNESS[route].includes(event))
}

export function changedBy(action: ActingName): Read[] {
  const changes: readonly (EventName | Read)[] = CHANGES[action]
  const routes = changes.flatMap((change) => (isEvent(change) ? staleAfter(change) : [change]))
  return [...new Set(routes)]
}

function isEvent(change: EventName | Read): change is EventName {
  return EVENT_NAMES.some((name) => name === change)
}
