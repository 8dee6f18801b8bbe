import { Refusal } from '#core/refusal.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Handler } from '#server/http/handler.ts'
import { isId } from '#server/ids.ts'
import { showTrade } from './show-trade.ts'
import { countTrades, findBot, findTrades } from './store.ts'

const PAGE = 50

export const listBotTrades: Handler<'listBotTrades'> = async ({ sql }, { userId, params: { id }, query: { cursor } }) => {
  if (cursor !== undefined && !isId(cursor)) throw new Refusal('invalid-input', { field: 'cursor', sentence: 'This cursor is not one of ours.' })
  const [bot, trades, count] = await atOneMoment(sql, (tx) =>
    Promise.all([findBot(tx, { userId, id }), findTrades(tx, { userId, id, cursor, limit: PAGE + 1 }), countTrades(tx, { userId, id })]),
  )
  if (!bot) throw new Refusal('not-found')
  const last = trades.length > PAGE ? trades[PAGE - 1] : undefined
  return { items: trades.slice(0, PAGE).map(showTrade), nextCursor: last?.blockId ?? null, count }
}
