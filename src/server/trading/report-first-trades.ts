import { figuresOfBot } from '#core/bots/bot-worth.ts'
import type { Units } from '#core/money/amount.ts'
import { reasonOfTrade } from '#core/strategy/trade-reason.ts'
import type { Context } from '#server/context.ts'
import { rows } from '#server/db/rows.ts'
import type { Queries } from '#server/db/statement.ts'
import { readTrades } from '#server/holdings/derived-trades.ts'
import { coinsOfBots, holdingsOfBots, worthBeforeFee } from '#server/holdings/worth.ts'
import { notify, type NewNotice } from '#server/notices/notify.ts'

/** Bots per run: the trades of each are read. */
const BATCH = 100

type NewTrader = {
  userId: string
  id: string
  name: string
  worth: Units
  coins: Units
  invested: Units
  feeBps: number
}

/**
 * Notifies the owners of bots that hold their first coins. A job of its own, so that settling a
 * block needs no statement per bot.
 */
export async function reportFirstTrades({ sql, atomically }: Context): Promise<void> {
  const traders = await findNewTraders(sql)
  if (traders.length === 0) return
  const notices = new Map<string, NewNotice>()
  for (const bot of traders) notices.set(bot.id, await noticeOf(sql, bot))
  await atomically(async (tx) => {
    const reported = await tx.sql<{ id: string }[]>`
      update trading_bots b set first_trade_reported = true
        from ${rows(traders, { user_id: 'uuid', id: 'uuid' })}
       where b.user_id = given.user_id and b.id = given.id and not b.first_trade_reported
         and b.status <> 'closed'
      returning b.id`
    await notify(tx.sql, ...reported.flatMap(({ id }) => notices.get(id) ?? []))
  })
}

/** With the figures of the bot's page. */
function findNewTraders(sql: Queries): Promise<NewTrader[]> {
  return sql<NewTrader[]>`
    select b.user_id, b.id, b.name, b.invested, b.fee_bps, (${worthBeforeFee})::bigint as worth,
           (${coinsOfBots})::bigint as coins
      from (select b.* from trading_bots b
             where not b.first_trade_reported and b.status <> 'closed'
               and exists (select 1 from sleeves s join pools p on p.id = s.pool
                            where s.user_id = b.user_id and s.bot_id = b.id
                              and (s.base > 0 or (s.units > 0 and p.base > 0)))
             order by b.id limit ${BATCH}) b ${holdingsOfBots}
     group by b.user_id, b.id, b.name, b.invested, b.fee_bps, b.pending`
}

async function noticeOf(sql: Queries, bot: NewTrader): Promise<NewNotice> {
  const { userId, id, name } = bot
  const { equity: worth, totalProfit: result } = figuresOfBot(bot)
  const first = (await readTrades(sql, { userId, botId: id })).at(-1)
  const why = first && { why: reasonOfTrade(first.change, first.side) }
  return {
    userId,
    kind: 'first-trade',
    event: `bot:${id}:first-trade`,
    details: { bot: name, botId: id, worth, result, ...why },
  }
}
