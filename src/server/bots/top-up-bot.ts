import { checkInvestment, checkTopUp } from '#core/bots/bot.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import type { Handler } from '#server/action.ts'
import { idempotent } from '#server/db/idempotent.ts'
import { lockCash } from '#server/ledger/read.ts'
import { lockBot, addToBot } from './change-bots.ts'
import { showBot } from './show-bot.ts'
import { readBot } from './store.ts'
import { botFunded } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { publishMoney, wakeEngine } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { writeTransaction } from '#server/transactions/write.ts'
import { raiseMarks } from './guards.ts'

/** Adds money to an active or paused bot. Locks the bot, then the cash. */
export const topUpBot: Handler<'topUpBot'> = async (
  context,
  { userId, params: { id }, body, idempotencyKey },
) => {
  const amount = decimalToUnits(body.amount)
  return context.atomically((tx) =>
    idempotent(
      tx.sql,
      { userId, key: idempotencyKey, action: 'top-up-bot', body: { id, ...body } },
      async () => {
        const bot = await lockBot(tx.sql, { userId, id })
        if (!bot) throw new Refusal('not-found')
        checkTopUp(bot)
        checkInvestment({ amount, available: await lockCash(tx.sql, userId), field: 'amount' })
        await addMoney(context, tx, {
          ...bot,
          amount,
          cause: `top-up:${context.newId()}`,
          description: sentence('added', { name: bot.name }),
          eventTime: context.market.now(),
        })
        return showBot(await readBot(tx.sql, { userId, id }))
      },
    ),
  )
}

/** `cause`: names the event within the bot. The same event is booked only once. */
type Added = {
  userId: string
  id: string
  amount: Units
  cause: string
  description: Sentence
  eventTime: Date
}

/**
 * Moves locked cash to a locked bot; the engine trades with it at the next price. Returns the
 * transfer's id.
 */
export async function addMoney(
  { newId }: Context,
  tx: BookWrite,
  { userId, id, amount, cause, description, eventTime }: Added,
): Promise<string> {
  const transferId = newId()
  await post(tx, {
    id: transferId,
    dedupKey: `bot:${id}:${cause}`,
    movement: botFunded({ userId, amount }),
    userId,
    eventTime,
  })
  await addToBot(tx.sql, { userId, id, amount })
  await raiseMarks(tx.sql, { userId, id, amount })
  await writeTransaction(tx.sql, {
    id: newId(),
    userId,
    type: 'transfer',
    status: 'completed',
    transferId,
    botId: id,
    amount: -amount,
    description,
  })
  await publishMoney(tx.sql, userId, ['bots'])
  await wakeEngine(tx.sql)
  return transferId
}
