import type { EventName } from '#contract/events.ts'
import { PROBLEMS } from '#contract/problem.ts'
import type { CallName } from '#contract/routes.ts'
import { msg } from '#words/words.ts'
import type { Read } from './freshness.ts'

/** An event that follows the action, or a single answer. */
export type Change = EventName | Read

type Action = {
  /**
   * Effects of the action. Absent if the action changes only its own answer, which a hook caches.
   */
  changes?: readonly Change[]
  /**
   * Title of a failure: from the specification, or worded like it. Without one, the screen has its
   * own.
   */
  title?: string
  /** By default "Please try again." */
  description?: string
  /** Shown below the form of a money action. Must be true whatever happened to the request. */
  besides?: string
}

const SECURITY = ['getFactors', 'listSessions'] as const
const ACCOUNTS = ['listBankAccounts', 'getWithdrawalTerms', 'listWithdrawals'] as const

const DEPOSIT_FAILED = { title: msg('Error'), description: msg('Failed to process deposit.') }

/** The actions of the user. */
export const ACTIONS = {
  login: { title: msg('Login failed'), description: PROBLEMS['wrong-credentials'].message },
  signup: { title: msg('Signup failed') },
  logout: { title: msg('Logout failed') },
  updateUser: { title: msg('Name not changed') },
  makeProof: { changes: [], title: msg('Not confirmed') },
  changePassword: { changes: ['listSessions'], title: msg('Password not changed') },
  changeEmail: { title: msg('Email not changed') },
  sendVerification: { changes: [], title: msg('Link not sent') },
  verifyEmail: { changes: ['getUser'], title: msg('Not verified') },
  requestReset: { changes: [], title: msg('Link not sent') },
  resetPassword: { changes: [], title: msg('Password not changed') },
  disown: { changes: ['getUser'], title: msg('Account not locked') },
  closeAccount: { title: msg('Account not closed') },
  endSession: { changes: ['listSessions'], title: msg('Session not ended') },
  endOtherSessions: { changes: ['listSessions'], title: msg('Sessions not ended') },
  addPasskey: { changes: SECURITY },
  renamePasskey: { changes: ['getFactors'] },
  removePasskey: { changes: SECURITY },
  startAuthenticator: { changes: [] },
  addAuthenticator: { changes: SECURITY },
  removeAuthenticator: { changes: SECURITY },
  renewRecoveryCodes: { changes: SECURITY },
  makeKey: { changes: ['listKeys'] },
  revokeKey: { changes: ['listKeys'] },

  createBot: {
    changes: ['balance', 'transactions', 'bots'],
    title: msg('Failed to Create Bot'),
    description: msg('Failed to create trading bot.'),
    besides: msg('Please try again. Your money is never invested twice.'),
  },
  updateBot: {
    changes: ['bots'],
    title: msg('Failed to Update Bot'),
    description: msg('Failed to update trading bot.'),
  },
  deleteBot: {
    changes: ['bots'],
    title: msg('Failed to Delete Bot'),
    description: msg('Failed to delete trading bot.'),
  },
  topUpBot: {
    changes: ['balance', 'transactions', 'bots'],
    title: msg('Failed to Add Money'),
    description: msg('Failed to add money to this bot.'),
    besides: msg('Please try again. Your money is never added twice.'),
  },
  takeOutOfBot: {
    changes: ['bots'],
    title: msg('Failed to Take Money Out'),
    description: msg('Failed to take money out of this bot.'),
    besides: msg('Please try again. Your money is never taken out twice.'),
  },
  setPlan: { changes: ['bots'], title: msg('Plan not changed') },
  endPlan: { changes: ['bots'], title: msg('Plan not changed') },
  simulateBot: {
    changes: [],
    title: msg('Trading Error'),
    description: msg('Failed to execute trade. Please try again.'),
  },
  stopAll: {
    changes: ['bots'],
    title: msg('Failed to Stop Bots'),
    description: msg('Failed to stop your trading bots.'),
  },

  createPaymentIntent: {
    changes: [],
    title: msg('Error'),
    description: msg('Failed to create payment intent.'),
    besides: msg('Your card was not charged. Please try again.'),
  },
  payWithSandboxCard: {
    changes: [],
    ...DEPOSIT_FAILED,
    besides: msg("You won't be charged twice. Please try again."),
  },
  confirmDeposit: { changes: ['balance', 'transactions', 'withdrawals'], ...DEPOSIT_FAILED },

  addBankAccount: {
    changes: ACCOUNTS,
    title: msg('Error'),
    description: msg('Failed to add the bank account.'),
  },
  removeBankAccount: {
    changes: ACCOUNTS,
    title: msg('Error'),
    description: msg('Failed to remove the bank account.'),
  },
  makeBankAccountDefault: {
    changes: ACCOUNTS,
    title: msg('Error'),
    description: msg('Failed to choose the bank account.'),
  },
  requestWithdrawal: {
    changes: ['balance', 'transactions', 'withdrawals'],
    title: msg('Withdrawal Failed'),
    description: msg('Failed to process withdrawal request.'),
    besides: msg('Please try again. Your money is never withdrawn twice.'),
  },
  cancelWithdrawal: {
    changes: ['balance', 'transactions', 'withdrawals'],
    title: msg('Not canceled'),
    description: msg('This withdrawal could not be canceled.'),
  },

  updateProtections: { changes: ['getProtections', 'getWithdrawalTerms'], title: msg('Not saved') },
  updateNoticeSettings: { title: msg('Not saved') },
  addPushDevice: { title: msg('Push not switched on') },
  removePushDevice: { title: msg('Not removed') },
  readNotices: { changes: ['notices'], title: msg('Not marked as read') },

  askHelp: {
    changes: [],
    title: msg('Chat Error'),
    description: msg('Failed to get AI response. Please try again.'),
  },

  getWalletNonce: { changes: [] },
  verifyWallet: {
    changes: ['listWallets'],
    title: msg('Verification failed'),
    description: msg('Failed to complete wallet verification.'),
  },
  disconnectWallet: {
    changes: ['listWallets'],
    title: msg('Disconnection failed'),
    description: msg('Failed to disconnect wallet. Please try again.'),
  },
  getWalletBalance: {
    changes: ['listWallets'],
    title: msg('Balance refresh failed'),
    description: PROBLEMS['chain-unavailable'].message,
  },
} as const satisfies Partial<Record<CallName, Action>>

type NamesWith<Column> = {
  [Name in keyof typeof ACTIONS]: (typeof ACTIONS)[Name] extends Column ? Name : never
}[keyof typeof ACTIONS]

/** Actions that `useAction` sends. */
export type ActingName = NamesWith<{ changes: readonly Change[] }>
/** Actions whose failures have messages here. */
export type ActionName = NamesWith<{ title: string }>

export const failureOf = (name: ActionName): Action & { title: string } => ACTIONS[name]
