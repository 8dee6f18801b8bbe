import type { Payouts } from '#server/ports/payouts.ts'

/** An operator approves, carries a file of payouts to the bank and says what became of them: nothing happens by itself. */
export function bankFilePayouts(): Payouts {
  return { provider: 'bank-file', approvesAfterMs: undefined }
}
