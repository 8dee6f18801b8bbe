import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import { readTrades } from '#server/holdings/derived-trades.ts'
import { isId } from '#server/kernel/ids.ts'
import { showTrade } from '#server/transactions/show-history.ts'
import { findBot } from './store.ts'

const PAGE = 50

/**
 * Computes all trades and returns a page of them, because a sale's profit depends on the bot's
 * whole life.
 */
export const listBotTrades: Handler<'listBotTrades'> = async (
  { sql },
  { userId, params: { id }, query: { cursor } },
) => {
  if (cursor !== undefined && !isId(cursor))
    throw new Refusal('cursor-invalid', { field: 'cursor' })
  const [bot, all] = await atOneMoment(
    sql,
    async (tx) =>
      [await findBot(tx, { userId, id }), await readTrades(tx, { userId, botId: id })] as const,
  )
  if (!bot) throw new Refusal('not-found')
  const trades = all.filter(({ change }) => cursor === undefined || change.id < cursor)
  const last = trades.length > PAGE ? trades[PAGE - 1] : undefined
  return {
    items: trades.slice(0, PAGE).map(showTrade),
    nextCursor: last?.change.id ?? null,
    count: all.length,
  }
}
