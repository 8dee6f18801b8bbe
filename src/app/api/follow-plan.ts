import { EVENT_NAMES, type EventName } from '#contract/events.ts'
import type { CallName } from '#contract/routes.ts'
import { FOLLOWED, type Followed, type Read } from './freshness.ts'

/**
 * Events that make an answer old; `prices` only if an hour closed. One that is on the screen is
 * refetched at their pace.
 */
export const FRESHNESS: Record<Followed, readonly EventName[]> = {
  getUser: ['balance', 'withdrawals', 'notices'],
  // Events carry the prices.
  getPrices: [],
  getPortfolio: ['balance', 'bots', 'prices', 'pools'],
  // Grows with the portfolio (`live-figures.ts`); its trades do not.
  getBalanceCurve: ['balance', 'pools'],
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
}

/** Rarely, and together: worth itself is computed at once (`live-figures.ts`). */
export const LATER = 'later'

/** Minimum milliseconds between two refetches because of an event. */
export const PACES: Record<EventName, number | typeof LATER> = {
  balance: 1_000,
  withdrawals: 1_000,
  notices: 1_000,
  // Trades of bots may be frequent.
  bots: 5_000,
  transactions: 5_000,
  prices: LATER,
  pools: LATER,
}

const SECURITY = ['getFactors', 'listSessions'] as const
const ACCOUNTS = ['listBankAccounts', 'getWithdrawalTerms', 'listWithdrawals'] as const

/**
 * The changes of each action of the user: events that follow it, or single answers. Where its own
 * answer is all that changes, its hook caches that.
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

/** The queries that an event makes old. */
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
