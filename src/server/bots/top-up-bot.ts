import { required } from '#core/assert.ts'
import { checkInvestment, checkTopUp } from '#core/bots/bot.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { filled, SENTENCES } from '#core/sentences.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { idempotent } from '#server/db/idempotent.ts'
import { lockCash } from '#server/ledger/read.ts'
import { addMoney } from './add-money.ts'
import { lockBot } from './change-bots.ts'
import { showBot } from './show-bot.ts'
import { findBot } from './store.ts'

/** Adds money to an active or paused bot. Locks the bot first, then the cash. */
export const topUpBot: Handler<'topUpBot'> = async (
  context,
  { userId, params: { id }, body, idempotencyKey },
) => {
  const amount = decimalToUnits(body.amount)
  return atomically(context.sql, (tx) =>
    idempotent(
      tx,
      { userId, key: idempotencyKey, action: 'top-up-bot', body: { id, ...body } },
      async () => {
        const bot = await lockBot(tx, { userId, id })
        if (!bot) throw new Refusal('not-found')
        checkTopUp(bot)
        checkInvestment({ amount, available: await lockCash(tx, userId), field: 'amount' })
        await addMoney(context, tx, {
          ...bot,
          amount,
          cause: `top-up:${context.newId()}`,
          description: filled(SENTENCES.added, bot),
          eventTime: context.market.now(),
        })
        return showBot(required(await findBot(tx, { userId, id }), 'the bot is locked'))
      },
    ),
  )
}
