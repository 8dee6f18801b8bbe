import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { readNoticeSettings } from './get-notice-settings.ts'
import { endSubscription } from './subscription-store.ts'

export const removePushDevice: Handler<'removePushDevice'> = async (
  context,
  { userId, params: { id } },
) => {
  if (!(await endSubscription(context.sql, { userId, id }))) throw new Refusal('not-found')
  return readNoticeSettings(context, context.sql, userId)
}
