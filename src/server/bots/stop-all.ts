import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { closeAllBots } from './change-bots.ts'

/** Closes every bot of the user. */
export const stopAll: Handler<'stopAll'> = async ({ sql }, { userId }) =>
  atomically(sql, async (tx) => {
    const closing = await closeAllBots(tx, userId)
    await publish(tx, { name: 'bots', userIds: [userId] })
    await wakeEngine(tx)
    return { closing }
  })
