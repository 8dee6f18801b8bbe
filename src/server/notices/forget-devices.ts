import type { Queries } from '#server/db/statement.ts'

/** Ends the push messages to all browsers of the user: one of them may be a stranger's. */
export async function forgetPushDevices(tx: Queries, userId: string): Promise<void> {
  await tx`delete from push_subscriptions where user_id = ${userId}`
}
