import type { Payouts } from '#server/ports/payouts.ts'

/** Pretends to pay out paper money, slowly enough for a user to watch. */
export function sandboxPayouts({ delayMs, now }: { delayMs: number; now: () => Date }): Payouts {
  const half = Math.ceil(delayMs / 2)
  return {
    provider: 'sandbox',
    approvesAfterMs: half,
    outcome: async ({ submittedAt }) => ({
      status: now().getTime() - submittedAt.getTime() >= half ? 'paid' : 'submitted',
    }),
  }
}
