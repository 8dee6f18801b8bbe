import { PROBLEMS } from '#contract/problem.ts'
import type { CallName, routes } from '#contract/routes.ts'
import { msg } from '#words/words.ts'

type Reading = 'runBacktest' | 'runBotEvidence' | 'previewDisown'
type Asking = 'getWalletBalance'

type OfOneScreen =
  | 'loginWithPasskey'
  | 'startPasskey'
  | 'addPasskey'
  | 'renamePasskey'
  | 'removePasskey'
  | 'startAuthenticator'
  | 'addAuthenticator'
  | 'removeAuthenticator'
  | 'renewRecoveryCodes'
  | 'exportData'
  | 'addWebhook'
  | 'updateWebhook'
  | 'removeWebhook'
  | 'resendWebhook'

type NameOfAction<Name extends CallName> = Name extends Reading | OfOneScreen
  ? never
  : (typeof routes)[Name]['method'] extends 'GET'
    ? never
    : Name

export type ActionName = { [Name in CallName]: NameOfAction<Name> }[CallName] | Asking

type Failure = {
  title: string
  description: string
  /** Shown below the form of a money action. Must be true whatever happened to the request. */
  besides?: string
}

const DEPOSIT_FAILED = { title: msg('Error'), description: msg('Failed to process deposit.') }

/** The messages for each failed action: the specification's, and similar ones for other actions. */
export const FAILURES: Record<ActionName, Failure> = {
  login: { title: msg('Login failed'), description: PROBLEMS['wrong-credentials'].message },
  signup: { title: msg('Signup failed'), description: msg('Please try again.') },
  logout: { title: msg('Logout failed'), description: msg('Please try again.') },
  updateUser: { title: msg('Name not changed'), description: msg('Please try again.') },
  makeProof: { title: msg('Not confirmed'), description: msg('Please try again.') },
  changePassword: { title: msg('Password not changed'), description: msg('Please try again.') },
  changeEmail: { title: msg('Email not changed'), description: msg('Please try again.') },
  sendVerification: { title: msg('Link not sent'), description: msg('Please try again.') },
  verifyEmail: { title: msg('Not verified'), description: msg('Please try again.') },
  requestReset: { title: msg('Link not sent'), description: msg('Please try again.') },
  resetPassword: { title: msg('Password not changed'), description: msg('Please try again.') },
  disown: { title: msg('Account not locked'), description: msg('Please try again.') },
  closeAccount: { title: msg('Account not closed'), description: msg('Please try again.') },
  endSession: { title: msg('Session not ended'), description: msg('Please try again.') },
  endOtherSessions: { title: msg('Sessions not ended'), description: msg('Please try again.') },

  createBot: {
    title: msg('Failed to Create Bot'),
    description: msg('Failed to create trading bot.'),
    besides: msg('Please try again. Your money is never invested twice.'),
  },
  updateBot: {
    title: msg('Failed to Update Bot'),
    description: msg('Failed to update trading bot.'),
  },
  deleteBot: {
    title: msg('Failed to Delete Bot'),
    description: msg('Failed to delete trading bot.'),
  },
  topUpBot: {
    title: msg('Failed to Add Money'),
    description: msg('Failed to add money to this bot.'),
    besides: msg('Please try again. Your money is never added twice.'),
  },
  takeOutOfBot: {
    title: msg('Failed to Take Money Out'),
    description: msg('Failed to take money out of this bot.'),
    besides: msg('Please try again. Your money is never taken out twice.'),
  },
  setPlan: { title: msg('Plan not changed'), description: msg('Please try again.') },
  endPlan: { title: msg('Plan not changed'), description: msg('Please try again.') },
  simulateBot: {
    title: msg('Trading Error'),
    description: msg('Failed to execute trade. Please try again.'),
  },
  stopAll: {
    title: msg('Failed to Stop Bots'),
    description: msg('Failed to stop your trading bots.'),
  },

  createPaymentIntent: {
    title: msg('Error'),
    description: msg('Failed to create payment intent.'),
    besides: msg('Your card was not charged. Please try again.'),
  },
  payWithSandboxCard: {
    ...DEPOSIT_FAILED,
    besides: msg("You won't be charged twice. Please try again."),
  },
  confirmDeposit: DEPOSIT_FAILED,

  addBankAccount: { title: msg('Error'), description: msg('Failed to add the bank account.') },
  removeBankAccount: {
    title: msg('Error'),
    description: msg('Failed to remove the bank account.'),
  },
  makeBankAccountDefault: {
    title: msg('Error'),
    description: msg('Failed to choose the bank account.'),
  },
  requestWithdrawal: {
    title: msg('Withdrawal Failed'),
    description: msg('Failed to process withdrawal request.'),
    besides: msg('Please try again. Your money is never withdrawn twice.'),
  },
  cancelWithdrawal: {
    title: msg('Not canceled'),
    description: msg('This withdrawal could not be canceled.'),
  },

  updateProtections: { title: msg('Not saved'), description: msg('Please try again.') },
  updateNoticeSettings: { title: msg('Not saved'), description: msg('Please try again.') },
  addPushDevice: { title: msg('Push not switched on'), description: msg('Please try again.') },
  removePushDevice: { title: msg('Not removed'), description: msg('Please try again.') },
  readNotices: { title: msg('Not marked as read'), description: msg('Please try again.') },

  askHelp: {
    title: msg('Chat Error'),
    description: msg('Failed to get AI response. Please try again.'),
  },

  verifyWallet: {
    title: msg('Verification failed'),
    description: msg('Failed to complete wallet verification.'),
  },
  disconnectWallet: {
    title: msg('Disconnection failed'),
    description: msg('Failed to disconnect wallet. Please try again.'),
  },
  getWalletBalance: {
    title: msg('Balance refresh failed'),
    description: PROBLEMS['chain-unavailable'].message,
  },
}
