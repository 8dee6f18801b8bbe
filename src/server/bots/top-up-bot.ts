import { required } from '#core/assert.ts'
import { checkInvestment, checkTopUp } from '#core/bots/bot.ts'
import { botFunded } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { filled, SENTENCES } from '#core/sentences.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import { idempotent } from '#server/db/idempotent.ts'
import type { Transaction } from '#server/db/open.ts'
import { publishMoney, wakeEngine } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { lockCash } from '#server/ledger/read.ts'
import { writeTransaction } from '#server/transactions/write.ts'
import { addToBot, lockBot } from './change-bots.ts'
import { raiseMarks } from './guards.ts'
import { showBot } from './show-bot.ts'
import { findBot } from './store.ts'

/** Adds money to an active or paused bot. Locks the bot first, then the cash. */
export const topUpBot: Handler<'topUpBot'> = async (context, { userId, params: { id }, body, idempotencyKey }) => {
  const amount = decimalToUnits(body.amount)
  return atomically(context.sql, (tx) =>
    idempotent(tx, { userId, key: idempotencyKey, action: 'top-up-bot', body: { id, ...body } }, async () => {
      const bot = await lockBot(tx, { userId, id })
      if (!bot) throw new Refusal('not-found')
      checkTopUp(bot)
      checkInvestment({ amount, available: await lockCash(tx, userId), field: 'amount' })
      await fund(context, tx, { ...bot, amount })
      return showBot(required(await findBot(tx, { userId, id }), 'the bot is locked'))
    }),
  )
}

/** Moves the money from the user's cash to the bot at once; the engine trades with it at the next price. */
async function fund(context: Context, tx: Transaction, { userId, id, name, amount }: { userId: string; id: string; name: string; amount: Units }): Promise<void> {
  const transferId = context.newId()
  const movement = botFunded({ userId, amount })
  await post(tx, { id: transferId, dedupKey: `bot:${id}:top-up:${transferId}`, movement, userId, eventTime: context.market.now() })
  await addToBot(tx, { userId, id, amount })
  await raiseMarks(tx, { userId, id, amount })
  const row = { id: context.newId(), userId, type: 'transfer', status: 'completed', transferId, botId: id } as const
  await writeTransaction(tx, { ...row, amount: -amount, description: filled(SENTENCES.added, { name }) })
  await publishMoney(tx, userId, ['bots'])
  await wakeEngine(tx)
}
