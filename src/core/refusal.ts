/**
 * `contract/problem.ts` has the status and the sentence of each; a code without a row there does
 * not compile.
 */
export type RefusalCode =
  | 'invalid-input'
  | 'cursor-invalid'
  | 'required'
  | 'text-too-short'
  | 'text-too-long'
  | 'username-invalid'
  | 'email-invalid'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'headers-too-large'
  | 'request-timed-out'
  | 'expectation-unknown'
  | 'not-found'
  | 'not-signed-in'
  | 'wrong-credentials'
  | 'wrong-password'
  | 'password-unchanged'
  | 'proof-required'
  | 'second-factor-required'
  | 'second-factor-missing'
  | 'wrong-code'
  | 'wrong-passkey'
  | 'passkey-unavailable'
  | 'too-many-passkeys'
  | 'authenticator-exists'
  | 'authenticator-expired'
  | 'too-many-attempts'
  | 'busy'
  | 'cross-site'
  | 'wrong-host'
  | 'username-taken'
  | 'link-invalid'
  | 'account-not-empty'
  | 'download-invalid'
  | 'common-password'
  | 'breached-password'
  | 'idempotency-key-reused'
  | 'deposit-amount-invalid'
  | 'deposit-below-minimum'
  | 'deposit-above-maximum'
  | 'card-number-invalid'
  | 'card-expiry-invalid'
  | 'card-cvc-invalid'
  | 'payment-unavailable'
  | 'payment-not-succeeded'
  | 'payment-provider-away'
  | 'webhook-signature-invalid'
  | 'withdrawals-frozen'
  | 'withdrawals-waiting'
  | 'withdrawals-locked'
  | 'withdrawal-on-hold'
  | 'withdrawal-amount-invalid'
  | 'withdrawal-above-available'
  | 'withdrawal-below-minimum'
  | 'withdrawal-above-limit'
  | 'bank-account-not-allowed'
  | 'daily-limit-invalid'
  | 'withdrawal-not-cancelable'
  | 'withdrawal-state'
  | 'payout-unproven'
  | 'account-frozen'
  | 'account-locked'
  | 'operator-signed-out'
  | 'operator-role'
  | 'bank-account-required'
  | 'bank-account-in-use'
  | 'routing-number-invalid'
  | 'account-number-invalid'
  | 'too-many-bank-accounts'
  | 'wallet-address-invalid'
  | 'wallet-message-invalid'
  | 'wallet-nonce-unknown'
  | 'wallet-nonce-used'
  | 'wallet-nonce-expired'
  | 'wallet-signature-invalid'
  | 'wallet-linked-elsewhere'
  | 'wallet-disconnected'
  | 'too-many-wallets'
  | 'notice-fixed'
  | 'loss-limit-invalid'
  | 'push-invalid'
  | 'too-many-push-devices'
  | 'chain-unknown'
  | 'chain-unconfigured'
  | 'chain-unavailable'
  | 'bot-name-invalid'
  | 'bot-pairs-missing'
  | 'bot-pairs-duplicate'
  | 'bot-pair-unavailable'
  | 'bot-amount-invalid'
  | 'bot-amount-above-available'
  | 'bot-closing'
  | 'bot-paused'
  | 'bot-busy'
  | 'too-many-bots'
  | 'insufficient-balance'
  | 'market-unavailable'
  | 'temporarily-unavailable'
  | 'takes-long'
  | 'still-under-way'
  | 'outcome-unknown'
  | 'internal'

type Details = { field?: string; values?: Readonly<Record<string, string>>; sentence?: string }

/** A rule refused the request, and nothing was changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly field: string | undefined
  /** For the `{placeholders}` of the code's sentence: amounts, dates, pairs. */
  readonly values: Readonly<Record<string, string>>
  /** Replaces the code's sentence where only the caller knows what is wrong. */
  readonly sentence: string | undefined

  constructor(code: RefusalCode, { field, values = {}, sentence }: Details = {}) {
    super(sentence ?? code)
    this.code = code
    this.field = field
    this.values = values
    this.sentence = sentence
  }
}
