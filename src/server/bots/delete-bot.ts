import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { closeBot, lockBot } from './change-bots.ts'
import { showBot } from './show-bot.ts'
import { readBot } from './store.ts'

/** Idempotent. The bot is 'closing' until the engine has returned the money. */
export const deleteBot: Handler<'deleteBot'> = async ({ atomically }, { userId, params: { id } }) =>
  atomically(async ({ sql }) => {
    const bot = await lockBot(sql, { userId, id })
    if (!bot) throw new Refusal('not-found')
    await closeBot(sql, bot)
    await publish(sql, { name: 'bots', userIds: [userId] })
    await wakeEngine(sql)
    return showBot(await readBot(sql, { userId, id }))
  })
