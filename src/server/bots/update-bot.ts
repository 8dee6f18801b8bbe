import { required } from '#core/assert.ts'
import { checkBotName, switchBot } from '#core/bots/bot.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { lockBot, setBot } from './change-bots.ts'
import { showBot } from './show-bot.ts'
import { findBot } from './store.ts'

/** Renames, pauses or resumes a bot. A paused bot keeps its holdings and does not trade. */
export const updateBot: Handler<'updateBot'> = async ({ sql }, { userId, params: { id }, body }) =>
  atomically(sql, async (tx) => {
    const bot = await lockBot(tx, { userId, id })
    if (!bot) throw new Refusal('not-found')
    const name = body.name === undefined ? bot.name : checkBotName(body.name)
    const status = body.isActive === undefined ? bot.status : switchBot(bot, body.isActive)
    await setBot(tx, { userId, id, name, status })
    await publish(tx, { name: 'bots', userIds: [userId] })
    if (status !== bot.status) await wakeEngine(tx)
    return showBot(required(await findBot(tx, { userId, id }), 'the bot is locked'))
  })
