import type { Payouts } from '#server/ports/payouts.ts'

/** Pays paper money to nobody, after the time a user can watch. */
export function sandboxPayouts({ delayMs, now }: { delayMs: number; now: () => Date }): Payouts {
  const half = Math.ceil(delayMs / 2)
  return {
    provider: 'sandbox',
    approvesAfterMs: half,
    outcome: async ({ submittedAt }) => ({ status: now().getTime() - submittedAt.getTime() >= half ? 'paid' : 'submitted' }),
  }
}
