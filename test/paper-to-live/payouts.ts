import { payOut } from '#server/withdrawals/pay-out.ts'
import type { Copy } from './books.ts'

/** Runs the job with a payout provider that only counts what it is handed. */
export async function openStripePayouts({ context }: Pick<Copy, 'context'>): Promise<string> {
  const handed: string[] = []
  const payouts = {
    provider: 'stripe' as const,
    approvesAfterMs: undefined,
    outcome: async ({ id }: { id: string }) => {
      handed.push(id)
      return { status: 'submitted' as const }
    },
  }
  await payOut({ ...context, payouts })
  return `handed over: ${handed.length}`
}
