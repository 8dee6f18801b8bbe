/**
 * public: everyone · user: signed-in users, for their own data · both: everyone, with answers that
 * depend on the user · session: as user, but the handler reads user and session itself.
 */
type Access = 'public' | 'user' | 'session' | 'both'

export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `:id` marks a path parameter. */
  path: `/api/${string}`
  access: Access
  /**
   * Needs an unused proof made for exactly this request within the last five minutes. always ·
   * with-factor: for users with a second factor; the request has the password · unless-new: not
   * within five minutes of a sign-in without a second factor; only for removing ways to sign in.
   */
  proof?: 'always' | 'with-factor' | 'unless-new'
  /**
   * The device keeps the answers, for use offline. Threat: an answer with a secret in it would stay
   * on the device.
   */
  kept?: true
  /** Answers with a stream of events, each in the shape of the schema. */
  streams?: true
}

/**
 * Every call of the product. Plain data: the browser loads no schema library. `schemas.ts` has the
 * shapes under the same names.
 */
export const routes = {
  getUser: { method: 'GET', path: '/api/auth/user', access: 'session', kept: true },
  updateUser: { method: 'PATCH', path: '/api/auth/user', access: 'user' },
  login: { method: 'POST', path: '/api/auth/login', access: 'public' },
  signup: { method: 'POST', path: '/api/auth/signup', access: 'public' },
  logout: { method: 'POST', path: '/api/auth/logout', access: 'public' },
  changePassword: {
    method: 'POST',
    path: '/api/auth/password',
    access: 'user',
    proof: 'with-factor',
  },
  makeProof: { method: 'POST', path: '/api/auth/proofs', access: 'user' },
  changeEmail: { method: 'POST', path: '/api/auth/email', access: 'user', proof: 'with-factor' },
  sendVerification: { method: 'POST', path: '/api/auth/email/send-verification', access: 'user' },
  verifyEmail: { method: 'POST', path: '/api/auth/email/verify', access: 'public' },
  requestReset: { method: 'POST', path: '/api/auth/password/request-reset', access: 'public' },
  resetPassword: { method: 'POST', path: '/api/auth/password/reset', access: 'public' },
  previewDisown: { method: 'POST', path: '/api/auth/not-me/preview', access: 'public' },
  disown: { method: 'POST', path: '/api/auth/not-me', access: 'public' },
  exportData: { method: 'POST', path: '/api/auth/data-exports', access: 'user', proof: 'always' },
  getClosing: { method: 'GET', path: '/api/auth/closing', access: 'user' },
  closeAccount: {
    method: 'POST',
    path: '/api/auth/close-account',
    access: 'user',
    proof: 'always',
  },
  listSessions: { method: 'GET', path: '/api/auth/sessions', access: 'user', kept: true },
  listSignIns: { method: 'GET', path: '/api/auth/sign-ins', access: 'user' },
  endSession: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'user',
    proof: 'unless-new',
  },
  endOtherSessions: {
    method: 'POST',
    path: '/api/auth/sessions/end-others',
    access: 'user',
    proof: 'unless-new',
  },

  getPasskeyChallenge: { method: 'GET', path: '/api/auth/passkeys/challenge', access: 'both' },
  loginWithPasskey: { method: 'POST', path: '/api/auth/passkeys/login', access: 'public' },
  getFactors: { method: 'GET', path: '/api/auth/factors', access: 'user' },
  startPasskey: {
    method: 'POST',
    path: '/api/auth/passkeys/start',
    access: 'user',
    proof: 'always',
  },
  addPasskey: { method: 'POST', path: '/api/auth/passkeys', access: 'user' },
  renamePasskey: { method: 'PATCH', path: '/api/auth/passkeys/:id', access: 'user' },
  removePasskey: {
    method: 'DELETE',
    path: '/api/auth/passkeys/:id',
    access: 'user',
    proof: 'always',
  },
  startAuthenticator: {
    method: 'POST',
    path: '/api/auth/authenticator/start',
    access: 'user',
    proof: 'always',
  },
  addAuthenticator: { method: 'POST', path: '/api/auth/authenticator', access: 'user' },
  removeAuthenticator: {
    method: 'DELETE',
    path: '/api/auth/authenticator',
    access: 'user',
    proof: 'always',
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/api/auth/recovery-codes',
    access: 'user',
    proof: 'always',
  },
  getConfig: { method: 'GET', path: '/api/config', access: 'public', kept: true },

  getPrices: { method: 'GET', path: '/api/crypto/prices', access: 'public', kept: true },
  getMarket: { method: 'GET', path: '/api/markets/:id', access: 'user', kept: true },
  getPortfolio: { method: 'GET', path: '/api/portfolio', access: 'user', kept: true },
  getBalanceCurve: { method: 'GET', path: '/api/portfolio/curve', access: 'user', kept: true },

  listBots: { method: 'GET', path: '/api/trading-bots', access: 'user' },
  createBot: { method: 'POST', path: '/api/trading-bots', access: 'user' },
  updateBot: { method: 'PATCH', path: '/api/trading-bots/:id', access: 'user' },
  deleteBot: { method: 'DELETE', path: '/api/trading-bots/:id', access: 'user' },
  topUpBot: { method: 'POST', path: '/api/trading-bots/:id/top-up', access: 'user' },
  takeOutOfBot: { method: 'POST', path: '/api/trading-bots/:id/take-out', access: 'user' },
  setPlan: { method: 'POST', path: '/api/trading-bots/:id/plan', access: 'user' },
  endPlan: { method: 'DELETE', path: '/api/trading-bots/:id/plan', access: 'user' },
  getBotPerformance: {
    method: 'GET',
    path: '/api/trading-bots/:id/performance',
    access: 'user',
    kept: true,
  },
  compareBot: { method: 'GET', path: '/api/trading-bots/:id/comparison', access: 'user' },
  listBotTrades: {
    method: 'GET',
    path: '/api/trading-bots/:id/trades',
    access: 'user',
    kept: true,
  },
  simulateBot: { method: 'POST', path: '/api/simulate-bot-trade/:id', access: 'user' },
  runBacktest: { method: 'POST', path: '/api/backtests', access: 'user' },
  stopAll: { method: 'POST', path: '/api/stop-all', access: 'user' },

  getEvidence: { method: 'GET', path: '/api/evidence', access: 'public', kept: true },
  getGuardEvidence: { method: 'GET', path: '/api/evidence/guards', access: 'public' },
  getEvidenceSummary: {
    method: 'GET',
    path: '/api/evidence/summary',
    access: 'public',
    kept: true,
  },
  getTrackRecord: { method: 'GET', path: '/api/track-record', access: 'public' },
  getPoolRecord: { method: 'GET', path: '/api/track-record/:id', access: 'public' },
  runBotEvidence: { method: 'POST', path: '/api/evidence/bots', access: 'user' },
  getEvidenceBundle: { method: 'GET', path: '/api/evidence/bundle', access: 'public' },
  getBotBundle: { method: 'GET', path: '/api/evidence/bots/bundle', access: 'user' },
  getBacktestBundle: { method: 'GET', path: '/api/backtests/bundle', access: 'user' },
  getSampleBot: { method: 'GET', path: '/api/sample-bot', access: 'public' },

  listTransactions: { method: 'GET', path: '/api/transactions', access: 'user', kept: true },
  getTransaction: { method: 'GET', path: '/api/transactions/:id', access: 'user', kept: true },

  createPaymentIntent: { method: 'POST', path: '/api/create-payment-intent', access: 'user' },
  payWithSandboxCard: { method: 'POST', path: '/api/sandbox/card-payments', access: 'user' },
  confirmDeposit: { method: 'POST', path: '/api/confirm-deposit', access: 'user' },

  listBankAccounts: { method: 'GET', path: '/api/bank-accounts', access: 'user', kept: true },
  addBankAccount: { method: 'POST', path: '/api/bank-accounts', access: 'user', proof: 'always' },
  removeBankAccount: { method: 'DELETE', path: '/api/bank-accounts/:id', access: 'user' },
  makeBankAccountDefault: {
    method: 'POST',
    path: '/api/bank-accounts/:id/default',
    access: 'user',
  },

  getWithdrawalTerms: { method: 'GET', path: '/api/withdrawal-terms', access: 'user', kept: true },
  getProtections: { method: 'GET', path: '/api/withdrawal-protections', access: 'user' },
  updateProtections: {
    method: 'PATCH',
    path: '/api/withdrawal-protections',
    access: 'user',
    proof: 'always',
  },
  listWithdrawals: { method: 'GET', path: '/api/withdrawal-requests', access: 'user', kept: true },
  requestWithdrawal: {
    method: 'POST',
    path: '/api/withdrawal-requests',
    access: 'user',
    proof: 'always',
  },
  cancelWithdrawal: { method: 'POST', path: '/api/withdrawal-requests/:id/cancel', access: 'user' },

  getNoticeSettings: { method: 'GET', path: '/api/notice-settings', access: 'user' },
  updateNoticeSettings: { method: 'PATCH', path: '/api/notice-settings', access: 'user' },
  addPushDevice: { method: 'POST', path: '/api/push-devices', access: 'user' },
  removePushDevice: { method: 'DELETE', path: '/api/push-devices/:id', access: 'user' },
  getMailbox: { method: 'GET', path: '/api/mailbox', access: 'user' },
  listNotices: { method: 'GET', path: '/api/notices', access: 'user', kept: true },
  readNotices: { method: 'POST', path: '/api/notices/read', access: 'user' },

  askHelp: { method: 'POST', path: '/api/chat/help', access: 'both' },
  streamHelp: { method: 'POST', path: '/api/chat/help/stream', access: 'both', streams: true },
  getHelpArticle: { method: 'GET', path: '/api/help/articles', access: 'public', kept: true },

  listWallets: { method: 'GET', path: '/api/crypto-wallets', access: 'user', kept: true },
  getWalletNonce: { method: 'GET', path: '/api/crypto-wallets/nonce', access: 'user' },
  verifyWallet: { method: 'POST', path: '/api/crypto-wallets/verify', access: 'user' },
  disconnectWallet: { method: 'POST', path: '/api/crypto-wallets/:id/disconnect', access: 'user' },
  getWalletBalance: { method: 'GET', path: '/api/crypto-wallets/:id/balance', access: 'user' },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

export type ProvenName = {
  [Name in RouteName]: (typeof routes)[Name] extends { proof: string } ? Name : never
}[RouteName]

export type StreamName = {
  [Name in RouteName]: (typeof routes)[Name] extends { streams: true } ? Name : never
}[RouteName]
export type CallName = Exclude<RouteName, StreamName>

export const plainRoutes = {
  loginRedirect: '/api/login',
  events: '/api/events',
  statement: '/api/statement.csv',
  trades: '/api/trades.csv',
  myData: '/api/my-data.json',
  openApi: '/api/docs',
  unsubscribe: '/api/unsubscribe/:token',
} as const
