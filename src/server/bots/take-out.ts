import { checkTakeOut, partInBps } from '#core/bots/take-out.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { idempotent } from '#server/db/idempotent.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { isSettled, lockBot, takeOut } from './change-bots.ts'
import { showBot } from './show-bot.ts'
import { readBot } from './store.ts'

/** Requests a part of a bot. The engine sells it and returns the money less the fee. */
export const takeOutOfBot: Handler<'takeOutOfBot'> = async (
  { atomically },
  { userId, params: { id }, body, idempotencyKey },
) =>
  atomically(({ sql }) =>
    idempotent(
      sql,
      { userId, key: idempotencyKey, action: 'take-out-of-bot', body: { id, ...body } },
      async () => {
        const bot = await lockBot(sql, { userId, id })
        if (!bot) throw new Refusal('not-found')
        checkTakeOut({ ...bot, isSettled: await isSettled(sql, bot) })
        await takeOut(sql, { userId, id, takingBps: partInBps(body.percent), isByPlan: false })
        await publish(sql, { name: 'bots', userIds: [userId] })
        await wakeEngine(sql)
        return showBot(await readBot(sql, { userId, id }))
      },
    ),
  )
