import type { Units } from '#core/money/amount.ts'

/** A payout in the provider's hands, as far as we know. */
export type Payout = {
  id: string
  userId: string
  amount: Units
  /** The provider's own name for it, once it told us. */
  reference: string | null
  submittedAt: Date
  /** Who is paid, and where; the account number is opened only where it is asked for. */
  payee: () => Promise<Payee>
}

export type Payee = {
  name: string
  email: string | null
  bankAccountId: string
  routingNumber: string
  accountNumber: string
  accountType: 'checking' | 'savings'
}

/** 'submitted': on its way, or nobody knows. 'returned': it had arrived, and came back. */
export type Outcome = { status: 'submitted' | 'paid' | 'failed' | 'returned'; reference?: string }

/** Port: who pays withdrawals out. */
export type Payouts = {
  provider: 'sandbox' | 'bank-file' | 'stripe'
  /** How long a request waits before it is approved without an operator; undefined where only an operator approves. */
  approvesAfterMs: number | undefined
  /**
   * What became of a payout that was handed over. Handing over and asking are one call under one key: asked again, nothing is paid twice.
   * Absent where an operator carries payouts to the bank.
   */
  outcome?: (payout: Payout) => Promise<Outcome>
  /** Between two questions about one payout. */
  asksEveryMs?: number
}
