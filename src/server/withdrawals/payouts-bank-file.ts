import type { Payouts } from '#server/ports/payouts.ts'

/** Manual: an operator approves, hands a file of payouts to the bank, and marks the outcomes. */
export function bankFilePayouts(): Payouts {
  return { provider: 'bank-file', approvesAfterMs: undefined }
}
