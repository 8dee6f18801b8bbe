import { checkCount } from '#core/count-limits.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { readNoticeSettings } from './get-notice-settings.ts'
import { findSubscriptions, saveSubscription } from './store.ts'

/**
 * Sends push messages to this browser from now on. Only push services of browsers are called,
 * whatever address is given.
 */
export const addPushDevice: Handler<'addPushDevice'> = async (
  context,
  { userId, body, client },
) => {
  const { atomically, push, newId } = context
  const endpoint = push.addressOf(body.endpoint)
  if (endpoint === undefined) throw new Refusal('push-invalid', { field: 'endpoint' })
  return atomically(async ({ sql }) => {
    checkCount('too-many-push-devices', (await findSubscriptions(sql, userId)).length)
    await saveSubscription(sql, {
      ...body,
      endpoint,
      userId,
      id: newId(),
      userAgent: client.browser,
    })
    return readNoticeSettings(context, sql, userId)
  })
}
