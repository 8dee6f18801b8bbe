import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { readNoticeSettings } from './get-notice-settings.ts'
import { removeSubscription } from './subscription-store.ts'

export const removePushDevice: Handler<'removePushDevice'> = async ({ sql }, { userId, params: { id } }) => {
  if (!(await removeSubscription(sql, { userId, id }))) throw new Refusal('not-found')
  return readNoticeSettings(sql, userId)
}
