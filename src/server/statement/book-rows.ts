import { baseOf } from '#core/market/pair.ts'
import { moneyRows, type BookRow, type TradeRow } from '#core/statement/books.ts'
import type { Queries } from '#server/db/statement.ts'
import {
  readBotsInterest,
  streamTrades,
  tradeId,
  type BotsInterest,
  type BotsTrade,
} from '#server/holdings/derived-trades.ts'
import { streamMoney } from './store.ts'

/** Rows of money first, then interest, then trades, each oldest first, in portions. */
export async function* streamBookRows(sql: Queries, userId: string): AsyncGenerator<BookRow[]> {
  for await (const moves of streamMoney(sql, userId)) yield moves.flatMap(moneyRows)
  yield (await readBotsInterest(sql, { userId })).map(interestRow)
  for await (const trades of streamTrades(sql, { userId })) yield trades.map(tradeRow)
}

const interestRow = ({ botId, change, amount }: BotsInterest): BookRow => ({
  reason: 'interest',
  id: tradeId({ change, botId }),
  atMs: change.marketTime.getTime(),
  amount,
})

const tradeRow = ({ botId, change, side, share, coins }: BotsTrade): TradeRow => ({
  side,
  id: tradeId({ change, botId }),
  atMs: change.marketTime.getTime(),
  coin: baseOf(change.pair),
  coins,
  ...share,
})
