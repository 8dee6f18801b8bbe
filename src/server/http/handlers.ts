import type { RouteName } from '#contract/routes.ts'
import type { Handler } from '#server/action.ts'
import { addPasskey } from '#server/auth/add-passkey.ts'
import { changeEmail } from '#server/auth/change-email.ts'
import { sendVerification } from '#server/auth/send-verification.ts'
import { verifyEmail } from '#server/auth/verify-email.ts'
import { requestReset } from '#server/auth/request-reset.ts'
import { resetPassword } from '#server/auth/reset-password.ts'
import { changePassword } from '#server/auth/change-password.ts'
import { addAuthenticator } from '#server/auth/add-authenticator.ts'
import { endOtherSessions } from '#server/auth/end-other-sessions.ts'
import { endSession } from '#server/auth/end-session.ts'
import { getFactors } from '#server/auth/get-factors.ts'
import { getPasskeyChallenge } from '#server/auth/get-passkey-challenge.ts'
import { getUser } from '#server/auth/get-user.ts'
import { listKeys } from '#server/auth/list-keys.ts'
import { makeKey } from '#server/auth/make-key.ts'
import { revokeKey } from '#server/auth/revoke-key.ts'
import { listSessions } from '#server/auth/list-sessions.ts'
import { loginWithPasskey } from '#server/auth/login-with-passkey.ts'
import { login } from '#server/auth/login.ts'
import { logout } from '#server/auth/logout.ts'
import { listSignIns } from '#server/auth/list-sign-ins.ts'
import { makeProof } from '#server/auth/make-proof.ts'
import { removeAuthenticator } from '#server/auth/remove-authenticator.ts'
import { removePasskey } from '#server/auth/remove-passkey.ts'
import { renamePasskey } from '#server/auth/rename-passkey.ts'
import { renewRecoveryCodes } from '#server/auth/renew-recovery-codes.ts'
import { signup } from '#server/auth/signup.ts'
import { startAuthenticator } from '#server/auth/start-authenticator.ts'
import { startPasskey } from '#server/auth/start-passkey.ts'
import { updateUser } from '#server/auth/update-user.ts'
import { getStatement } from '#server/statement/get-statement.ts'
import { compareBot } from '#server/bots/compare-bot.ts'
import { createBot } from '#server/bots/create-bot.ts'
import { deleteBot } from '#server/bots/delete-bot.ts'
import { getBalanceCurve } from '#server/bots/get-balance-curve.ts'
import { getWeek } from '#server/bots/get-week.ts'
import { getBotPerformance } from '#server/bots/get-bot-performance.ts'
import { getPortfolio } from '#server/bots/get-portfolio.ts'
import { listBotTrades } from '#server/bots/list-bot-trades.ts'
import { listBots } from '#server/bots/list-bots.ts'
import { runBacktest } from '#server/bots/run-backtest.ts'
import { simulateBot } from '#server/bots/simulate-bot.ts'
import { stopAll } from '#server/bots/stop-all.ts'
import { takeOutOfBot } from '#server/bots/take-out.ts'
import { endPlan, setPlan } from '#server/bots/set-plan.ts'
import { topUpBot } from '#server/bots/top-up-bot.ts'
import { updateBot } from '#server/bots/update-bot.ts'
import { confirmDeposit } from '#server/deposits/confirm-deposit.ts'
import { createPaymentIntent } from '#server/deposits/create-payment-intent.ts'
import { payWithSandboxCard } from '#server/deposits/pay-with-sandbox-card.ts'
import { getBacktestBundle } from '#server/evidence/get-backtest-bundle.ts'
import { getBotBundle } from '#server/evidence/get-bot-bundle.ts'
import { getEvidence } from '#server/evidence/get-evidence.ts'
import { getEvidenceBundle } from '#server/evidence/get-evidence-bundle.ts'
import { getBotForecast } from '#server/bots/get-bot-forecast.ts'
import { getForecastBundle } from '#server/evidence/get-forecast-bundle.ts'
import { getForecasts } from '#server/evidence/get-forecasts.ts'
import { getGuardEvidence } from '#server/evidence/get-guard-evidence.ts'
import { getEvidenceSummary } from '#server/evidence/get-evidence-summary.ts'
import { runBotEvidence } from '#server/evidence/run-bot-evidence.ts'
import { getSampleBot } from '#server/evidence/replay-sample-bot.ts'
import { getStrategyNow } from '#server/record/get-strategy-now.ts'
import { getTrackRecord } from '#server/record/get-track-record.ts'
import { askHelp } from '#server/help/ask-help.ts'
import { getHelpArticle } from '#server/help/get-help-article.ts'
import { streamHelp } from '#server/help/stream-help.ts'
import { getPrices } from '#server/market/get-prices.ts'
import { addPushDevice } from '#server/notices/add-push-device.ts'
import { addWebhook } from '#server/notices/add-webhook.ts'
import { listWebhooks } from '#server/notices/list-webhooks.ts'
import { removeWebhook } from '#server/notices/remove-webhook.ts'
import { resendWebhook } from '#server/notices/resend-webhook.ts'
import { updateWebhook } from '#server/notices/update-webhook.ts'
import { getMailbox } from '#server/notices/get-mailbox.ts'
import { getNoticeSettings } from '#server/notices/get-notice-settings.ts'
import { removePushDevice } from '#server/notices/remove-push-device.ts'
import { updateNoticeSettings } from '#server/notices/update-notice-settings.ts'
import { listNotices } from '#server/notices/list-notices.ts'
import { readNotices } from '#server/notices/read-notices.ts'
import { closeAccount } from '#server/rights/close-account.ts'
import { exportData } from '#server/rights/export-data.ts'
import { getClosing } from '#server/rights/get-closing.ts'
import { getMarket } from '#server/bots/get-market.ts'
import { getTransaction } from '#server/transactions/get-transaction.ts'
import { listTransactions } from '#server/transactions/list-transactions.ts'
import { disconnectWallet } from '#server/wallets/disconnect-wallet.ts'
import { getWalletBalance } from '#server/wallets/get-wallet-balance.ts'
import { getWalletNonce } from '#server/wallets/get-wallet-nonce.ts'
import { listWallets } from '#server/wallets/list-wallets.ts'
import { verifyWallet } from '#server/wallets/verify-wallet.ts'
import { addBankAccount } from '#server/withdrawals/add-bank-account.ts'
import { cancelWithdrawal } from '#server/withdrawals/cancel-withdrawal.ts'
import { disown } from '#server/withdrawals/disown.ts'
import { previewDisown } from '#server/withdrawals/preview-disown.ts'
import { getProtections } from '#server/withdrawals/get-protections.ts'
import { getWithdrawalTerms } from '#server/withdrawals/get-withdrawal-terms.ts'
import { listBankAccounts } from '#server/withdrawals/list-bank-accounts.ts'
import { listWithdrawals } from '#server/withdrawals/list-withdrawals.ts'
import { makeBankAccountDefault } from '#server/withdrawals/make-bank-account-default.ts'
import { removeBankAccount } from '#server/withdrawals/remove-bank-account.ts'
import { requestWithdrawal } from '#server/withdrawals/request-withdrawal.ts'
import { updateProtections } from '#server/withdrawals/update-protections.ts'
import { getConfig } from './get-config.ts'

/** A route without a handler does not compile. */
export const handlers = {
  getUser,
  updateUser,
  login,
  signup,
  logout,
  makeProof,
  changePassword,
  changeEmail,
  sendVerification,
  verifyEmail,
  requestReset,
  resetPassword,
  previewDisown,
  disown,
  exportData,
  getClosing,
  closeAccount,
  listSessions,
  listSignIns,
  endSession,
  endOtherSessions,
  getPasskeyChallenge,
  loginWithPasskey,
  getFactors,
  startPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  startAuthenticator,
  addAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
  listKeys,
  makeKey,
  revokeKey,
  getConfig,
  getPrices,
  getMarket,
  getPortfolio,
  getBalanceCurve,
  getWeek,
  listBots,
  createBot,
  updateBot,
  deleteBot,
  topUpBot,
  takeOutOfBot,
  setPlan,
  endPlan,
  getBotPerformance,
  compareBot,
  listBotTrades,
  simulateBot,
  runBacktest,
  stopAll,
  getEvidence,
  getEvidenceSummary,
  getGuardEvidence,
  getForecasts,
  getForecastBundle,
  getBotForecast,
  getTrackRecord,
  getEvidenceBundle,
  getBotBundle,
  getBacktestBundle,
  runBotEvidence,
  getSampleBot,
  getStrategyNow,
  listTransactions,
  getTransaction,
  getStatement,
  createPaymentIntent,
  payWithSandboxCard,
  confirmDeposit,
  listBankAccounts,
  addBankAccount,
  removeBankAccount,
  makeBankAccountDefault,
  getWithdrawalTerms,
  listWithdrawals,
  getProtections,
  updateProtections,
  requestWithdrawal,
  cancelWithdrawal,
  getNoticeSettings,
  updateNoticeSettings,
  addPushDevice,
  removePushDevice,
  listWebhooks,
  addWebhook,
  updateWebhook,
  removeWebhook,
  resendWebhook,
  getMailbox,
  listNotices,
  readNotices,
  askHelp,
  streamHelp,
  getHelpArticle,
  listWallets,
  getWalletNonce,
  verifyWallet,
  disconnectWallet,
  getWalletBalance,
} satisfies { [Name in RouteName]: Handler<Name> }
