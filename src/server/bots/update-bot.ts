import { required } from '#core/assert.ts'
import { checkBotName, checkPairs, checkStrategy, switchBot } from '#core/bots/bot.ts'
import { checkChange, isSameSettings } from '#core/bots/change-settings.ts'
import { Refusal } from '#core/refusal.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { changeSettings, isSettled, lockBot, setBot } from './change-bots.ts'
import { showBot } from './show-bot.ts'
import { findBot } from './store.ts'

/** Renames, pauses or resumes a bot, or changes its pairs and risk level. A paused bot keeps its holdings and does not trade. */
export const updateBot: Handler<'updateBot'> = async ({ sql, feed }, { userId, params: { id }, body }) =>
  atomically(sql, async (tx) => {
    const bot = await lockBot(tx, { userId, id })
    if (!bot) throw new Refusal('not-found')
    const name = body.name === undefined ? bot.name : checkBotName(body.name)
    const status = body.isActive === undefined ? bot.status : switchBot(bot, body.isActive)
    await setBot(tx, { userId, id, name, status })
    await publish(tx, { name: 'bots', userIds: [userId] })
    const wanted = {
      riskLevel: body.riskLevel === undefined ? bot.riskLevel : checkStrategy({ strategy: choiceOf(bot.strategy).strategy, riskLevel: body.riskLevel }).riskLevel,
      tradingPairs: body.tradingPairs === undefined ? bot.tradingPairs : checkPairs(body.tradingPairs, feed.pairs),
    }
    const isChanged = !isSameSettings(bot, wanted)
    if (isChanged) {
      // A bot that this same request pauses or resumes is refused too: its money would move twice at once.
      checkChange({ ...bot, status: bot.status === 'active' ? status : bot.status, isSettled: await isSettled(tx, bot) })
      await changeSettings(tx, bot, wanted)
    }
    if (isChanged || status !== bot.status) await wakeEngine(tx)
    return showBot(required(await findBot(tx, { userId, id }), 'the bot is locked'))
  })
