import type { RouteName } from './routes.ts'

/**
 * public: everyone · user: signed-in users, for their own data · both: everyone, with answers that
 * depend on the user · session: as user, but the handler reads user and session itself.
 */
export type Access = 'public' | 'user' | 'session' | 'both'

/** The access of each call. Not in `routes.ts`, which the browser loads first. */
export const accessOf = {
  getUser: 'session',
  updateUser: 'user',
  login: 'public',
  signup: 'public',
  logout: 'public',
  changePassword: 'user',
  makeProof: 'user',
  changeEmail: 'user',
  sendVerification: 'user',
  verifyEmail: 'public',
  requestReset: 'public',
  resetPassword: 'public',
  previewDisown: 'public',
  disown: 'public',
  exportData: 'user',
  getClosing: 'user',
  closeAccount: 'user',
  listSessions: 'user',
  listSignIns: 'user',
  endSession: 'user',
  endOtherSessions: 'user',
  getPasskeyChallenge: 'both',
  loginWithPasskey: 'public',
  getFactors: 'user',
  startPasskey: 'user',
  addPasskey: 'user',
  renamePasskey: 'user',
  removePasskey: 'user',
  startAuthenticator: 'user',
  addAuthenticator: 'user',
  removeAuthenticator: 'user',
  renewRecoveryCodes: 'user',
  getConfig: 'public',
  getPrices: 'public',
  getMarket: 'user',
  getPortfolio: 'user',
  getBalanceCurve: 'user',
  listBots: 'user',
  createBot: 'user',
  updateBot: 'user',
  deleteBot: 'user',
  topUpBot: 'user',
  takeOutOfBot: 'user',
  setPlan: 'user',
  endPlan: 'user',
  getBotPerformance: 'user',
  compareBot: 'user',
  listBotTrades: 'user',
  simulateBot: 'user',
  runBacktest: 'user',
  stopAll: 'user',
  getEvidence: 'public',
  getGuardEvidence: 'public',
  getEvidenceSummary: 'public',
  getForecasts: 'public',
  getTrackRecord: 'public',
  getPoolRecord: 'public',
  runBotEvidence: 'user',
  getEvidenceBundle: 'public',
  getBotBundle: 'user',
  getBacktestBundle: 'user',
  getSampleBot: 'public',
  listTransactions: 'user',
  getTransaction: 'user',
  createPaymentIntent: 'user',
  payWithSandboxCard: 'user',
  confirmDeposit: 'user',
  listBankAccounts: 'user',
  addBankAccount: 'user',
  removeBankAccount: 'user',
  makeBankAccountDefault: 'user',
  getWithdrawalTerms: 'user',
  getProtections: 'user',
  updateProtections: 'user',
  listWithdrawals: 'user',
  requestWithdrawal: 'user',
  cancelWithdrawal: 'user',
  getNoticeSettings: 'user',
  updateNoticeSettings: 'user',
  addPushDevice: 'user',
  removePushDevice: 'user',
  getMailbox: 'user',
  listNotices: 'user',
  readNotices: 'user',
  askHelp: 'both',
  streamHelp: 'both',
  getHelpArticle: 'public',
  listWallets: 'user',
  getWalletNonce: 'user',
  verifyWallet: 'user',
  disconnectWallet: 'user',
  getWalletBalance: 'user',
} as const satisfies Record<RouteName, Access>

/**
 * Calls that need an unused proof made for exactly this request within the last five minutes.
 * always · with-factor: for users with a second factor; the request has the password · unless-new:
 * not within five minutes of a sign-in without a second factor; only for removing ways to sign in.
 */
export const proofRules = {
  changePassword: 'with-factor',
  changeEmail: 'with-factor',
  exportData: 'always',
  closeAccount: 'always',
  endSession: 'unless-new',
  endOtherSessions: 'unless-new',
  startPasskey: 'always',
  removePasskey: 'always',
  startAuthenticator: 'always',
  removeAuthenticator: 'always',
  renewRecoveryCodes: 'always',
  addBankAccount: 'always',
  updateProtections: 'always',
  requestWithdrawal: 'always',
} as const satisfies Partial<Record<RouteName, 'always' | 'with-factor' | 'unless-new'>>

export type ProvenName = keyof typeof proofRules

export const isProven = (name: string): name is ProvenName => Object.hasOwn(proofRules, name)

/**
 * Calls that act once for each Idempotency-Key of their user: a repetition gets the first answer.
 */
export const keyedCalls: readonly RouteName[] = [
  'createBot',
  'topUpBot',
  'takeOutOfBot',
  'setPlan',
  'createPaymentIntent',
  'addBankAccount',
  'requestWithdrawal',
]
