import type { Queries } from '#server/db/statement.ts'

/**
 * Ends the push messages to all browsers of the user: one of them may be a stranger's. Those that
 * were written before are still sent.
 */
export async function forgetPushDevices(tx: Queries, userId: string): Promise<void> {
  await tx`update push_subscriptions set ended_at = now() where user_id = ${userId}
    and ended_at is null`
}
