import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { closeBot, lockBot } from './change-bots.ts'
import { showBot } from './show-bot.ts'
import { findBot } from './store.ts'

/**
 * Idempotent. The bot is 'closing' until the engine has sold its holdings and returned the money.
 */
export const deleteBot: Handler<'deleteBot'> = async ({ sql }, { userId, params: { id } }) =>
  atomically(sql, async (tx) => {
    const bot = await lockBot(tx, { userId, id })
    if (!bot) throw new Refusal('not-found')
    await closeBot(tx, bot)
    await publish(tx, { name: 'bots', userIds: [userId] })
    await wakeEngine(tx)
    return showBot(required(await findBot(tx, { userId, id }), 'the bot is locked'))
  })
