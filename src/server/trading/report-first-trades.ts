import type { Context } from '#server/context.ts'
import { notify } from '#server/notices/notify.ts'

/** Bots per run. */
const BATCH = 500

type NewTrader = { userId: string; id: string; name: string }

/**
 * Notifies the owners of bots that hold their first coins. A job of its own, so that settling a
 * block needs no statement per bot.
 */
export async function reportFirstTrades({ atomically }: Context): Promise<void> {
  await atomically(async ({ sql }) => {
    const bots = await sql<NewTrader[]>`
      update trading_bots b set first_trade_reported = true
        from (select b.user_id, b.id from trading_bots b
               where not b.first_trade_reported and b.status <> 'closed'
                 and exists (select 1 from sleeves s join pools p on p.id = s.pool
                              where s.user_id = b.user_id and s.bot_id = b.id
                                and (s.base > 0 or (s.units > 0 and p.base > 0)))
               order by b.id limit ${BATCH}) traded
       where b.user_id = traded.user_id and b.id = traded.id and not b.first_trade_reported
      returning b.user_id, b.id, b.name`
    await notify(
      sql,
      ...bots.map(({ userId, id, name }) => ({
        userId,
        kind: 'first-trade' as const,
        event: `bot:${id}:first-trade`,
        details: { bot: name, botId: id },
      })),
    )
  })
}
