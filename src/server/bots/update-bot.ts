import { checkBotName, checkPairs, checkStrategy, switchBot } from '#core/bots/bot.ts'
import { checkChange, isSameSettings, type BotSettings } from '#core/bots/change-settings.ts'
import { checkGuards, type TypedGuards } from '#core/guards/guard-settings.ts'
import { Refusal } from '#core/refusal.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { isSuggestedName, suggestedName } from '#words/bot-name.ts'
import { LANGUAGES } from '#words/language.ts'
import type { Handler } from '#server/action.ts'
import { refuseRevoked } from '#server/auth/use-program-key.ts'
import type { BookWrite } from '#server/db/book.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { inLanguage } from '#server/kernel/in-language.ts'
import { changeSettings, isSettled, lockBot, setBot, type LockedBot } from './change-bots.ts'
import { endStop, setGuards } from './guards.ts'
import { closingNow, showBot } from './show-bot.ts'
import { findOtherNames, readBot } from './store.ts'

/**
 * Pauses or resumes a bot, or changes its name, pairs, level or guards. A paused bot keeps its
 * holdings and does not trade.
 */
export const updateBot: Handler<'updateBot'> = async (
  { atomically, feed, market },
  { userId, params: { id }, body, key },
) =>
  atomically(async (tx) => {
    const bot = await lockBot(tx.sql, { userId, id })
    if (!bot) throw new Refusal('not-found')
    if (key) await refuseRevoked(tx.sql, key)
    const status = body.isActive === undefined ? bot.status : switchBot(bot, body.isActive)
    if (bot.status === 'stopped' && status !== 'stopped') await leaveStop(tx, bot, market.now())
    await publish(tx.sql, { name: 'bots', userIds: [userId] })
    const wanted = {
      riskLevel:
        body.riskLevel === undefined
          ? bot.riskLevel
          : checkStrategy({ strategy: choiceOf(bot.strategy).strategy, riskLevel: body.riskLevel })
              .riskLevel,
      tradingPairs:
        body.tradingPairs === undefined
          ? bot.tradingPairs
          : checkPairs(body.tradingPairs, feed.pairs),
    }
    const isChanged = !isSameSettings(bot, wanted)
    const name = body.name === undefined ? await nameFor(tx, bot, wanted) : checkBotName(body.name)
    await setBot(tx.sql, { userId, id, name, status })
    if (isChanged) {
      // Checked with the requested status: a bot that pauses or resumes would move its money twice.
      checkChange({
        ...bot,
        status: bot.status === 'active' ? status : bot.status,
        isSettled: await isSettled(tx.sql, bot),
      })
      await changeSettings(tx.sql, bot, wanted)
    }
    if (body.guards !== undefined)
      await changeGuards(tx, bot, { typed: body.guards, at: market.now() })
    if (isChanged || status !== bot.status) await wakeEngine(tx.sql)
    return showBot(await readBot(tx.sql, { userId, id }))
  })

/** A suggested name changes with the settings, in the reader's language; any other name stays. */
async function nameFor(
  { sql }: BookWrite,
  { userId, id, name, strategy, tradingPairs }: LockedBot,
  wanted: BotSettings,
): Promise<string> {
  const choice = choiceOf(strategy)
  const isSuggested = LANGUAGES.some((language) =>
    inLanguage(language, () => isSuggestedName(name, { ...choice, tradingPairs })),
  )
  if (!isSuggested || isSameSettings({ ...choice, tradingPairs }, wanted)) return name
  return suggestedName({ ...choice, ...wanted }, await findOtherNames(sql, { userId, id }))
}

/**
 * Ends a stop. Refuses while coins are being sold, because they cannot leave and return at once.
 */
async function leaveStop({ sql }: BookWrite, bot: LockedBot, at: Date): Promise<void> {
  if (!(await isSettled(sql, bot))) throw new Refusal('bot-busy')
  const { equity: worth } = closingNow(await readBot(sql, bot))
  await endStop(sql, { ...bot, worth, at })
}

async function changeGuards(
  { sql }: BookWrite,
  bot: LockedBot,
  { typed, at }: { typed: TypedGuards | null; at: Date },
): Promise<void> {
  const guards = checkGuards(typed)
  if (bot.status === 'closing') throw new Refusal('bot-closing')
  const now = await readBot(sql, bot)
  await setGuards(sql, {
    ...bot,
    guards,
    status: now.status,
    worth: closingNow(now).equity,
    at,
    invested: now.invested,
  })
}
