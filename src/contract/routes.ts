export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `:id` marks a path parameter. */
  path: `/api/${string}`
  /**
   * The device stores the answers for use offline. Threat: a secret in an answer would stay on the
   * device.
   */
  kept?: true
  /** Whether the answer is a stream of events, each in the shape of the schema. */
  streams?: true
}

/**
 * Every call of the product. Plain data, because the browser loads no schema library; `calls.ts`
 * has the rest under the same names.
 */
export const routes = {
  getUser: { method: 'GET', path: '/api/auth/user', kept: true },
  updateUser: { method: 'PATCH', path: '/api/auth/user' },
  login: { method: 'POST', path: '/api/auth/login' },
  signup: { method: 'POST', path: '/api/auth/signup' },
  logout: { method: 'POST', path: '/api/auth/logout' },
  changePassword: { method: 'POST', path: '/api/auth/password' },
  makeProof: { method: 'POST', path: '/api/auth/proofs' },
  changeEmail: { method: 'POST', path: '/api/auth/email' },
  sendVerification: { method: 'POST', path: '/api/auth/email/send-verification' },
  verifyEmail: { method: 'POST', path: '/api/auth/email/verify' },
  requestReset: { method: 'POST', path: '/api/auth/password/request-reset' },
  resetPassword: { method: 'POST', path: '/api/auth/password/reset' },
  previewDisown: { method: 'POST', path: '/api/auth/not-me/preview' },
  disown: { method: 'POST', path: '/api/auth/not-me' },
  exportData: { method: 'POST', path: '/api/auth/data-exports' },
  getClosing: { method: 'GET', path: '/api/auth/closing' },
  closeAccount: { method: 'POST', path: '/api/auth/close-account' },
  listSessions: { method: 'GET', path: '/api/auth/sessions', kept: true },
  listSignIns: { method: 'GET', path: '/api/auth/sign-ins' },
  endSession: { method: 'DELETE', path: '/api/auth/sessions/:id' },
  endOtherSessions: { method: 'POST', path: '/api/auth/sessions/end-others' },

  getPasskeyChallenge: { method: 'GET', path: '/api/auth/passkeys/challenge' },
  loginWithPasskey: { method: 'POST', path: '/api/auth/passkeys/login' },
  getFactors: { method: 'GET', path: '/api/auth/factors' },
  startPasskey: { method: 'POST', path: '/api/auth/passkeys/start' },
  addPasskey: { method: 'POST', path: '/api/auth/passkeys' },
  renamePasskey: { method: 'PATCH', path: '/api/auth/passkeys/:id' },
  removePasskey: { method: 'DELETE', path: '/api/auth/passkeys/:id' },
  startAuthenticator: { method: 'POST', path: '/api/auth/authenticator/start' },
  addAuthenticator: { method: 'POST', path: '/api/auth/authenticator' },
  removeAuthenticator: { method: 'DELETE', path: '/api/auth/authenticator' },
  renewRecoveryCodes: { method: 'POST', path: '/api/auth/recovery-codes' },
  listKeys: { method: 'GET', path: '/api/program-keys' },
  makeKey: { method: 'POST', path: '/api/program-keys' },
  revokeKey: { method: 'DELETE', path: '/api/program-keys/:id' },
  getConfig: { method: 'GET', path: '/api/config', kept: true },

  getPrices: { method: 'GET', path: '/api/crypto/prices', kept: true },
  getMarket: { method: 'GET', path: '/api/markets/:id', kept: true },
  getPortfolio: { method: 'GET', path: '/api/portfolio', kept: true },
  getBalanceCurve: { method: 'GET', path: '/api/portfolio/curve', kept: true },
  getWeek: { method: 'GET', path: '/api/week' },

  listBots: { method: 'GET', path: '/api/trading-bots' },
  createBot: { method: 'POST', path: '/api/trading-bots' },
  updateBot: { method: 'PATCH', path: '/api/trading-bots/:id' },
  deleteBot: { method: 'DELETE', path: '/api/trading-bots/:id' },
  topUpBot: { method: 'POST', path: '/api/trading-bots/:id/top-up' },
  takeOutOfBot: { method: 'POST', path: '/api/trading-bots/:id/take-out' },
  setPlan: { method: 'POST', path: '/api/trading-bots/:id/plan' },
  endPlan: { method: 'DELETE', path: '/api/trading-bots/:id/plan' },
  getBotPerformance: { method: 'GET', path: '/api/trading-bots/:id/performance', kept: true },
  compareBot: { method: 'GET', path: '/api/trading-bots/:id/comparison' },
  listBotTrades: { method: 'GET', path: '/api/trading-bots/:id/trades', kept: true },
  simulateBot: { method: 'POST', path: '/api/simulate-bot-trade/:id' },
  runBacktest: { method: 'POST', path: '/api/backtests' },
  stopAll: { method: 'POST', path: '/api/stop-all' },

  getEvidence: { method: 'GET', path: '/api/evidence', kept: true },
  getGuardEvidence: { method: 'GET', path: '/api/evidence/guards' },
  getEvidenceSummary: { method: 'GET', path: '/api/evidence/summary', kept: true },
  getForecasts: { method: 'GET', path: '/api/forecasts' },
  getForecastBundle: { method: 'GET', path: '/api/forecasts/bundle' },
  getBotForecast: { method: 'GET', path: '/api/forecasts/bot' },
  getTrackRecord: { method: 'GET', path: '/api/track-record' },
  getStrategyNow: { method: 'GET', path: '/api/strategy-now' },
  runBotEvidence: { method: 'POST', path: '/api/evidence/bots' },
  getEvidenceBundle: { method: 'GET', path: '/api/evidence/bundle' },
  getBotBundle: { method: 'GET', path: '/api/evidence/bots/bundle' },
  getBacktestBundle: { method: 'GET', path: '/api/backtests/bundle' },
  getSampleBot: { method: 'GET', path: '/api/sample-bot' },

  listTransactions: { method: 'GET', path: '/api/transactions', kept: true },
  getTransaction: { method: 'GET', path: '/api/transactions/:id', kept: true },
  getStatement: { method: 'GET', path: '/api/statement' },

  createPaymentIntent: { method: 'POST', path: '/api/create-payment-intent' },
  payWithSandboxCard: { method: 'POST', path: '/api/sandbox/card-payments' },
  confirmDeposit: { method: 'POST', path: '/api/confirm-deposit' },

  listBankAccounts: { method: 'GET', path: '/api/bank-accounts', kept: true },
  addBankAccount: { method: 'POST', path: '/api/bank-accounts' },
  removeBankAccount: { method: 'DELETE', path: '/api/bank-accounts/:id' },
  makeBankAccountDefault: { method: 'POST', path: '/api/bank-accounts/:id/default' },

  getWithdrawalTerms: { method: 'GET', path: '/api/withdrawal-terms', kept: true },
  getProtections: { method: 'GET', path: '/api/withdrawal-protections' },
  updateProtections: { method: 'PATCH', path: '/api/withdrawal-protections' },
  listWithdrawals: { method: 'GET', path: '/api/withdrawal-requests', kept: true },
  requestWithdrawal: { method: 'POST', path: '/api/withdrawal-requests' },
  cancelWithdrawal: { method: 'POST', path: '/api/withdrawal-requests/:id/cancel' },

  getNoticeSettings: { method: 'GET', path: '/api/notice-settings' },
  updateNoticeSettings: { method: 'PATCH', path: '/api/notice-settings' },
  addPushDevice: { method: 'POST', path: '/api/push-devices' },
  removePushDevice: { method: 'DELETE', path: '/api/push-devices/:id' },
  getMailbox: { method: 'GET', path: '/api/mailbox' },
  listNotices: { method: 'GET', path: '/api/notices', kept: true },
  listWebhooks: { method: 'GET', path: '/api/webhooks' },
  addWebhook: { method: 'POST', path: '/api/webhooks' },
  updateWebhook: { method: 'PATCH', path: '/api/webhooks/:id' },
  removeWebhook: { method: 'DELETE', path: '/api/webhooks/:id' },
  resendWebhook: { method: 'POST', path: '/api/webhooks/messages/:id' },
  readNotices: { method: 'POST', path: '/api/notices/read' },

  askHelp: { method: 'POST', path: '/api/chat/help' },
  streamHelp: { method: 'POST', path: '/api/chat/help/stream', streams: true },
  getHelpArticle: { method: 'GET', path: '/api/help/articles', kept: true },

  listWallets: { method: 'GET', path: '/api/crypto-wallets', kept: true },
  getWalletNonce: { method: 'GET', path: '/api/crypto-wallets/nonce' },
  verifyWallet: { method: 'POST', path: '/api/crypto-wallets/verify' },
  disconnectWallet: { method: 'POST', path: '/api/crypto-wallets/:id/disconnect' },
  getWalletBalance: { method: 'GET', path: '/api/crypto-wallets/:id/balance' },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

export type StreamName = {
  [Name in RouteName]: (typeof routes)[Name] extends { streams: true } ? Name : never
}[RouteName]
export type CallName = Exclude<RouteName, StreamName>

/** Separate from `plain-routes.ts`, because every page loads these two. */
export const LOGIN_REDIRECT = '/api/login'
export const EVENTS = '/api/events'
