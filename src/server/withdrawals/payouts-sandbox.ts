import type { Payouts } from '#server/ports/payouts.ts'

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
