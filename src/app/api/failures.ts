import { PROBLEMS } from '#contract/problem.ts'
import type { CallName, routes } from '#contract/routes.ts'

/** Calls that only read, although they are sent with POST: their screens show a failure in place. */
type Reading = 'runBacktest'
/** A read of the chain that a button starts. */
type Asking = 'getWalletBalance'

type NameOfAction<Name extends CallName> = Name extends Reading ? never : (typeof routes)[Name]['method'] extends 'GET' ? never : Name

/** Calls that a person starts by pressing something. */
export type ActionName = { [Name in CallName]: NameOfAction<Name> }[CallName] | Asking

type Failure = {
  title: string
  /** The toast's words where the answer carries none of ours. */
  description: string
  /** Stands below the form then, and is true whatever happened to the request. Only for money. */
  besides?: string
}

const DEPOSIT_FAILED = { title: 'Error', description: 'Failed to process deposit.' }

/** The words for each failed action: the specification's, and for actions that it does not name, words like them. */
export const FAILURES: Record<ActionName, Failure> = {
  login: { title: 'Login failed', description: PROBLEMS['wrong-credentials'].message },
  signup: { title: 'Signup failed', description: 'Please try again.' },
  logout: { title: 'Logout failed', description: 'Please try again.' },
  updateUser: { title: 'Name not changed', description: 'Please try again.' },
  changePassword: { title: 'Password not changed', description: 'Please try again.' },
  endSession: { title: 'Session not ended', description: 'Please try again.' },
  endOtherSessions: { title: 'Sessions not ended', description: 'Please try again.' },

  createBot: {
    title: 'Failed to Create Bot',
    description: 'Failed to create trading bot.',
    besides: 'Please try again. Your money is never invested twice.',
  },
  updateBot: { title: 'Failed to Update Bot', description: 'Failed to update trading bot.' },
  deleteBot: { title: 'Failed to Delete Bot', description: 'Failed to delete trading bot.' },
  topUpBot: {
    title: 'Failed to Add Money',
    description: 'Failed to add money to this bot.',
    besides: 'Please try again. Your money is never added twice.',
  },
  takeOutOfBot: {
    title: 'Failed to Take Money Out',
    description: 'Failed to take money out of this bot.',
    besides: 'Please try again. Your money is never taken out twice.',
  },
  simulateBot: { title: 'Trading Error', description: 'Failed to execute trade. Please try again.' },
  stopAll: { title: 'Failed to Stop Bots', description: 'Failed to stop your trading bots.' },

  createPaymentIntent: {
    title: 'Error',
    description: 'Failed to create payment intent.',
    besides: 'Your card was not charged. Please try again.',
  },
  payWithSandboxCard: { ...DEPOSIT_FAILED, besides: "You won't be charged twice. Please try again." },
  confirmDeposit: DEPOSIT_FAILED,

  addBankAccount: { title: 'Error', description: 'Failed to add the bank account.' },
  removeBankAccount: { title: 'Error', description: 'Failed to remove the bank account.' },
  makeBankAccountDefault: { title: 'Error', description: 'Failed to choose the bank account.' },
  requestWithdrawal: {
    title: 'Withdrawal Failed',
    description: 'Failed to process withdrawal request.',
    besides: 'Please try again. Your money is never withdrawn twice.',
  },
  cancelWithdrawal: { title: 'Not canceled', description: 'This withdrawal could not be canceled.' },

  askHelp: { title: 'Chat Error', description: 'Failed to get AI response. Please try again.' },

  verifyWallet: { title: 'Verification failed', description: 'Failed to complete wallet verification.' },
  disconnectWallet: { title: 'Disconnection failed', description: 'Failed to disconnect wallet. Please try again.' },
  getWalletBalance: { title: 'Balance refresh failed', description: PROBLEMS['chain-unavailable'].message },
}
