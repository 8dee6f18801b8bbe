/** Port: who pays withdrawals out. */
export type Payouts = {
  provider: 'sandbox'
  /** How long a request waits before it is approved without an operator; undefined where only an operator approves. */
  approvesAfterMs: number | undefined
  /** What became of a payout handed over at `submittedAt`. */
  outcome: (payout: { id: string; submittedAt: Date }) => Promise<'submitted' | 'paid' | 'failed'>
}
