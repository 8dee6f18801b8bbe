import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { readNoticeSettings } from './get-notice-settings.ts'
import { endSubscription } from './store.ts'
import type { Queries } from '#server/db/statement.ts'

export const removePushDevice: Handler<'removePushDevice'> = async (
  context,
  { userId, params: { id } },
) => {
  if (!(await endSubscription(context.sql, { userId, id }))) throw new Refusal('not-found')
  return readNoticeSettings(context, context.sql, userId)
}

/**
 * Ends the push messages to all browsers of the user: one may be a stranger's. Messages already
 * written are still sent.
 */
export async function forgetPushDevices(tx: Queries, userId: string): Promise<void> {
  await tx`update push_subscriptions set ended_at = now() where user_id = ${userId}
    and ended_at is null`
}
