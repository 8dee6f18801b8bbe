import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { publish } from '#server/events/bus.ts'
import { rememberLanguage } from './notify.ts'
import { markRead } from './store.ts'

/** Marks one notice as read, or all of them. The user's other tabs and devices follow. */
export const readNotices: Handler<'readNotices'> = async ({ sql }, { userId, body: { id } }) =>
  atomically(sql, async (tx) => {
    await rememberLanguage(tx, userId)
    const read = await markRead(tx, { userId, id })
    if (read > 0) await publish(tx, { name: 'notices', userIds: [userId] })
    return { read }
  })
