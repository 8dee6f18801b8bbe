/**
 * Everything the rules or the world may say no to, by name. `contract/problem.ts` gives each its status and its sentence;
 * a code without a row there does not compile.
 */
export type RefusalCode =
  | 'invalid-input'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'not-found'
  | 'not-signed-in'
  | 'wrong-credentials'
  | 'wrong-password'
  | 'too-many-attempts'
  | 'cross-site'
  | 'username-taken'
  | 'email-taken'
  | 'common-password'
  | 'idempotency-key-reused'
  | 'deposit-amount-invalid'
  | 'deposit-below-minimum'
  | 'deposit-above-maximum'
  | 'payment-unavailable'
  | 'payment-not-succeeded'
  | 'payment-not-open'
  | 'payment-provider-away'
  | 'webhook-signature-invalid'
  | 'withdrawals-frozen'
  | 'withdrawal-on-hold'
  | 'withdrawal-amount-invalid'
  | 'withdrawal-above-available'
  | 'withdrawal-below-minimum'
  | 'withdrawal-not-cancelable'
  | 'withdrawal-state'
  | 'operator-unnamed'
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
  | 'internal'

/** The rule said no. Nothing was changed; the caller may tell the user. `field` names the input at fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly field: string | undefined
  /** Replaces the code's own sentence where only the occasion knows it. */
  readonly sentence: string | undefined

  constructor(code: RefusalCode, { field, sentence }: { field?: string; sentence?: string } = {}) {
    super(sentence ?? code)
    this.code = code
    this.field = field
    this.sentence = sentence
  }
}
