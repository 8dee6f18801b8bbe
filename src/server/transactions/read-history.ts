import type { TransactionQuery } from '#contract/transactions.ts'
import { inWords } from '#words/in-words.ts'
import type { Queries } from '#server/db/statement.ts'
import { readTradesBefore, type TradesWanted } from '#server/holdings/derived-trades.ts'
import { isFound, tradesFound, wordsOf } from './search.ts'
import { tradeRow } from './show-history.ts'
import {
  findBotNames,
  findNamedSleeves,
  findTransactions,
  type BookedPage,
  type BookedRow,
  type Cursor,
  type HistoryRow,
} from './store.ts'

export type Filters = Omit<TransactionQuery, 'cursor'>
export type HistoryPage = {
  userId: string
  filters: Filters
  cursor: Cursor | undefined
  limit: number
}

/**
 * The user's history before `cursor`, newest first: transactions and the trades of all bots, merged
 * by id.
 */
export async function readHistory(sql: Queries, page: HistoryPage): Promise<HistoryRow[]> {
  const [booked, trades] = await Promise.all([readBooked(sql, page), readTradeRows(sql, page)])
  return [...booked, ...trades].toSorted(newestFirst).slice(0, page.limit)
}

const dateOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)

/** Rows per read of a search, most of which it may pass over. */
const PORTION = 500

async function readBooked(
  sql: Queries,
  { userId, filters: { type, bot, from, to, q }, cursor, limit }: HistoryPage,
): Promise<HistoryRow[]> {
  if (type === 'trade') return []
  const page: BookedPage = {
    userId,
    type,
    bot,
    from: dateOf(from),
    to: dateOf(to),
    before: cursor?.sortId,
    limit,
  }
  if (!q) return findTransactions(sql, page)
  const words = wordsOf(q)
  const found: HistoryRow[] = []
  for (let { before } = page; ;) {
    const rows: BookedRow[] = await findTransactions(sql, { ...page, before, limit: PORTION })
    found.push(
      ...rows.filter((row) =>
        isFound(words, [
          row.type,
          row.description,
          inWords(row.description),
          row.botName,
          row.id,
          row.withdrawalId,
          row.paymentIntentId,
        ]),
      ),
    )
    if (rows.length < PORTION || found.length >= limit) return found.slice(0, limit)
    before = rows.at(-1)?.sortId
  }
}

async function readTradeRows(
  sql: Queries,
  { userId, filters, cursor, limit }: HistoryPage,
): Promise<HistoryRow[]> {
  if (filters.type !== undefined && filters.type !== 'trade') return []
  const wanted = await wantedTrades(sql, { userId, filters })
  if (wanted.whose.among?.length === 0) return []
  const trades = await readTradesBefore(sql, { ...wanted, before: cursor, limit })
  const names = await findBotNames(sql, { userId, ids: trades.map(({ botId }) => botId) })
  return trades.map((trade) => tradeRow(trade, names.get(trade.botId) ?? ''))
}

async function wantedTrades(
  sql: Queries,
  { userId, filters: { bot, from, to, q } }: Pick<HistoryPage, 'userId' | 'filters'>,
): Promise<TradesWanted> {
  const whose = { userId, ...(bot !== undefined && { botId: bot }) }
  const period = { from: dateOf(from), to: dateOf(to) }
  if (!q) return { whose, period, isWanted: () => true }
  const { among, isWanted, ids } = tradesFound(q, await findNamedSleeves(sql, { userId, bot }))
  return { whose: { ...whose, among }, period: { ...period, ids }, isWanted }
}

function newestFirst(a: HistoryRow, b: HistoryRow): number {
  if (a.sortId !== b.sortId) return a.sortId < b.sortId ? 1 : -1
  return a.id < b.id ? 1 : -1
}
