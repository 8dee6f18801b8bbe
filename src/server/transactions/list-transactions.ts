import type { Transaction, TransactionPage } from '#contract/transactions.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { readTradesBefore } from '#server/holdings/derived-trades.ts'
import { isId } from '#server/ids.ts'
import { showTransaction, tradeRow } from './show-history.ts'
import { findBotNames, findTransactions, type Cursor, type HistoryPage, type HistoryRow } from './store.ts'

const PAGE = 50

export const listTransactions: Handler<'listTransactions'> = ({ sql }, { userId, query: { type, cursor } }) =>
  readTransactions(sql, { userId, type, cursor })

type PageOf = { userId: string; type: Transaction['type'] | undefined; cursor: string | undefined }

export async function readTransactions(sql: Queries, { userId, type, cursor }: PageOf): Promise<TransactionPage> {
  const rows = await readHistory(sql, { userId, type, cursor: cursor === undefined ? undefined : readCursor(cursor), limit: PAGE + 1 })
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined
  return { items: rows.slice(0, PAGE).map(showTransaction), nextCursor: last ? `${last.sortId}~${last.id}` : null }
}

function readCursor(text: string): Cursor {
  const [sortId = '', id = ''] = text.split('~')
  if (!isId(sortId) || !id.split('.').every(isId)) throw new Refusal('cursor-invalid', { field: 'cursor' })
  return { sortId, id }
}

/** The user's history before `cursor`, newest first: transactions and the trades of all bots, merged by id. */
async function readHistory(sql: Queries, page: HistoryPage): Promise<HistoryRow[]> {
  const [booked, trades] = await Promise.all([page.type === 'trade' ? [] : findTransactions(sql, page), readTradeRows(sql, page)])
  return [...booked, ...trades].toSorted(newestFirst).slice(0, page.limit)
}

async function readTradeRows(sql: Queries, { userId, type, cursor, limit }: HistoryPage): Promise<HistoryRow[]> {
  if (type !== undefined && type !== 'trade') return []
  const trades = await readTradesBefore(sql, { userId, before: cursor, limit })
  const names = await findBotNames(sql, { userId, ids: trades.map(({ botId }) => botId) })
  return trades.map((trade) => tradeRow(trade, names.get(trade.botId) ?? ''))
}

function newestFirst(a: HistoryRow, b: HistoryRow): number {
  if (a.sortId !== b.sortId) return a.sortId < b.sortId ? 1 : -1
  return a.id < b.id ? 1 : -1
}
