import type { Units } from '#core/money/amount.ts'

/** A payout that was submitted to the provider. */
export type Payout = {
  id: string
  userId: string
  amount: Units
  /** The provider's reference, once known. */
  reference: string | null
  submittedAt: Date
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

/** 'submitted': on its way, or unknown. 'returned': it arrived, and the bank sent it back. */
export type Outcome = { status: 'submitted' | 'paid' | 'failed' | 'returned'; reference?: string }

/** Port: a provider that pays withdrawals out. */
export type Payouts = {
  provider: 'sandbox' | 'bank-file' | 'stripe'
  /**
   * How long a request waits before it is approved automatically; undefined where only an operator
   * approves.
   */
  approvesAfterMs: number | undefined
  /**
   * Hands over a payout, or polls its outcome: one call under one idempotency key, so that
   * repeating it never pays twice. Absent where an operator hands payouts to the bank.
   */
  outcome?: (payout: Payout) => Promise<Outcome>
  /** Poll interval for one payout. */
  pollEveryMs?: number
}
