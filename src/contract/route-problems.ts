import type { RefusalCode } from '#core/refusal.ts'
import type { PlainName, RouteName } from './routes.ts'

const PAIRS = ['bot-pairs-missing', 'bot-pair-unavailable', 'bot-pairs-duplicate'] as const
const AMOUNT = ['bot-amount-invalid', 'bot-amount-above-available'] as const
const BREACHES = ['text-too-short', 'common-password', 'breached-password'] as const
const COUNTED = ['too-many-attempts', 'busy'] as const
const PROVIDER = ['payment-unavailable', 'payment-provider-away'] as const
const NONCES = ['wallet-nonce-unknown', 'wallet-nonce-used', 'wallet-nonce-expired'] as const

/**
 * Refusals of a call's own rules. Those that follow from its method, path, access and proof are
 * added by the description of the API. The tests' users fail on an answer that it does not name.
 */
export const routeProblems: Partial<Record<RouteName | PlainName, readonly RefusalCode[]>> = {
  login: ['wrong-credentials', 'second-factor-required', 'wrong-code', 'account-locked'],
  signup: ['username-invalid', 'username-taken', 'required', 'text-too-long', ...BREACHES],
  loginWithPasskey: ['wrong-credentials', 'wrong-passkey', 'passkey-unavailable', 'account-locked'],
  getPasskeyChallenge: ['passkey-unavailable'],
  changePassword: ['wrong-credentials', 'wrong-password', 'password-unchanged', ...BREACHES],
  makeProof: [
    'required',
    'wrong-password',
    'wrong-code',
    'wrong-passkey',
    'passkey-unavailable',
    'second-factor-required',
    'account-frozen',
    'account-locked',
  ],
  changeEmail: ['wrong-password'],
  verifyEmail: ['link-invalid', 'account-locked'],
  resetPassword: ['link-invalid', 'account-locked', ...BREACHES],
  previewDisown: ['link-invalid', 'account-locked'],
  disown: ['link-invalid', 'account-locked'],
  closeAccount: ['account-not-empty', ...PROVIDER],
  startPasskey: ['too-many-passkeys', 'passkey-unavailable'],
  addPasskey: ['wrong-passkey', 'passkey-unavailable', 'account-locked'],
  startAuthenticator: ['authenticator-exists'],
  addAuthenticator: ['authenticator-expired', 'wrong-code', 'account-locked'],
  removeAuthenticator: ['not-found'],
  renewRecoveryCodes: ['second-factor-missing'],

  getPrices: ['market-unavailable'],
  createBot: ['bot-name-invalid', ...PAIRS, ...AMOUNT, 'too-many-bots', 'insufficient-balance'],
  updateBot: ['bot-name-invalid', ...PAIRS, 'bot-closing', 'bot-paused', 'bot-busy'],
  topUpBot: [...AMOUNT, 'bot-closing', 'bot-busy', 'insufficient-balance'],
  takeOutOfBot: ['bot-closing', 'bot-paused', 'bot-busy'],
  setPlan: [...AMOUNT, 'bot-closing'],
  compareBot: COUNTED,
  listBotTrades: ['cursor-invalid'],
  runBacktest: [...PAIRS, ...AMOUNT],
  runBotEvidence: PAIRS,
  getPoolRecord: COUNTED,
  getEvidenceBundle: ['not-found', ...COUNTED],
  getBotBundle: [...PAIRS, 'not-found', ...COUNTED],
  getBacktestBundle: [...PAIRS, ...AMOUNT, 'not-found', ...COUNTED],

  listTransactions: ['cursor-invalid'],
  createPaymentIntent: [
    'deposit-amount-invalid',
    'deposit-below-minimum',
    'deposit-above-maximum',
    'payment-not-succeeded',
    ...PROVIDER,
  ],
  payWithSandboxCard: ['not-found'],
  confirmDeposit: ['not-found', 'payment-not-succeeded', ...PROVIDER],
  addBankAccount: [
    'routing-number-invalid',
    'account-number-invalid',
    'too-many-bank-accounts',
    'account-locked',
  ],
  removeBankAccount: ['bank-account-in-use'],
  updateProtections: ['daily-limit-invalid'],
  requestWithdrawal: [
    'withdrawal-amount-invalid',
    'withdrawal-below-minimum',
    'withdrawal-above-available',
    'withdrawal-above-limit',
    'withdrawal-on-hold',
    'withdrawals-frozen',
    'withdrawals-locked',
    'bank-account-required',
    'bank-account-not-allowed',
    'not-found',
    'insufficient-balance',
  ],
  cancelWithdrawal: ['withdrawal-not-cancelable', 'withdrawal-state'],

  updateNoticeSettings: ['notice-fixed', 'loss-limit-invalid'],
  addPushDevice: ['push-invalid', 'too-many-push-devices'],
  getMailbox: ['not-found'],
  listNotices: ['cursor-invalid'],
  getHelpArticle: ['not-found'],

  getWalletNonce: ['wallet-address-invalid', 'too-many-attempts'],
  verifyWallet: [
    'wallet-address-invalid',
    'wallet-message-invalid',
    'wallet-signature-invalid',
    'wallet-linked-elsewhere',
    'too-many-wallets',
    ...NONCES,
    'chain-unavailable',
  ],
  getWalletBalance: [
    'wallet-disconnected',
    'chain-unknown',
    'chain-unconfigured',
    'chain-unavailable',
    'too-many-attempts',
  ],

  events: ['too-many-attempts'],
  trades: ['not-found'],
  myData: ['download-invalid'],
}
