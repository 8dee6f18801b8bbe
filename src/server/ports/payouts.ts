import type { Units } from '#core/money/amount.ts'
import type { PayoutWait } from '#core/withdrawals/payout-wait.ts'

/** A payout that was submitted to the provider. */
export type Payout = {
  id: string
  userId: string
  amount: Units
  /** The provider's reference, once known. */
  reference: string | null
  submittedAt: Date
  /** True if it is certain that no earlier attempt sent anything. */
  isUnsent: boolean
  /** Payee and bank account; the account number is decrypted only when this is called. */
  payee: () => Payee
}

export type Payee = {
  name: string
  email: string | null
  bankAccountId: string
  routingNumber: string
  accountNumber: string
  accountType: 'checking' | 'savings'
}

/**
 * 'submitted': on its way, waiting, or unknown. 'failed': certainly not paid. 'returned': it
 * arrived, and the bank sent it back. `reason`: in the provider's own words.
 */
export type PayoutOutcome = {
  status: 'submitted' | 'paid' | 'failed' | 'returned'
  reference?: string
  waits?: PayoutWait
  reason?: string | undefined
}

/** Port: a provider that pays withdrawals out. */
export type Payouts = {
  provider: 'sandbox' | 'bank-file' | 'stripe'
  /** The account that payouts are drawn from; none is looked up in another one. */
  account?: string
  /**
   * Milliseconds until a request is approved automatically; undefined where only an operator
   * approves.
   */
  approvesAfterMs: number | undefined
  /**
   * Hands over a payout, or polls its outcome: one call under one idempotency key, so that
   * repeating it never pays twice. Absent where an operator hands payouts to the bank.
   */
  outcome?: (payout: Payout) => Promise<PayoutOutcome>
  /** Poll interval for one payout. */
  pollEveryMs?: number
}
