import type { Handler } from '#server/action.ts'
import { publish } from '#server/events/bus.ts'
import { rememberLanguage } from './notify.ts'
import { markRead } from './store.ts'

/** Marks one notice as read, or all. The user's other tabs and devices follow. */
export const readNotices: Handler<'readNotices'> = async (
  { atomically },
  { userId, body: { id } },
) =>
  atomically(async ({ sql }) => {
    await rememberLanguage(sql, userId)
    const read = await markRead(sql, { userId, id })
    if (read > 0) await publish(sql, { name: 'notices', userIds: [userId] })
    return { read }
  })
