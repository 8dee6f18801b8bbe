import type { TransactionPage, TransactionQuery } from '#contract/transactions.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { inEnglish } from '#core/sentences.ts'
import type { Handler } from '#server/action.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { isId } from '#server/kernel/ids.ts'
import { showTransaction, tradeRow } from './show-history.ts'
import {
  findCash,
  findEarlierFractions,
  type Cursor,
  findBotNames,
  findNamedSleeves,
  findTransactions,
  type BookedPage,
  type BookedRow,
  type HistoryRow,
} from './store.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { readTradesBefore, type TradesWanted } from '#server/holdings/derived-trades.ts'
import { isFound, tradesFound, wordsOf } from './search.ts'

const PAGE = 50

export const listTransactions: Handler<'listTransactions'> = ({ sql }, { userId, query }) =>
  atOneMoment(sql, (tx) => readTransactions(tx, { userId, ...query }))

type PageOf = Filters & { userId: string; cursor?: string | undefined }

export async function readTransactions(
  sql: Queries,
  { userId, cursor, ...filters }: PageOf,
): Promise<TransactionPage> {
  const rows = await readHistory(sql, {
    userId,
    filters,
    cursor: cursor === undefined ? undefined : readCursor(cursor),
    limit: PAGE + 1,
  })
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined
  const shown = rows.slice(0, PAGE)
  const booked = shown.filter(({ type }) => type !== 'trade')
  const [fractions, cash] = await Promise.all([
    findEarlierFractions(sql, { userId, rows: booked }),
    findCash(sql, userId),
  ])
  return {
    items: shown.map((row) => showTransaction(row, fractions.get(row.id))),
    nextCursor: last ? `${last.sortId}~${last.id}` : null,
    cash: unitsToDecimal(cash, 2),
  }
}

function readCursor(text: string): Cursor {
  const [sortId = '', id = ''] = text.split('~')
  if (!isId(sortId) || !id.split('.').every(isId))
    throw new Refusal('cursor-invalid', { field: 'cursor' })
  return { sortId, id }
}

type Filters = Omit<TransactionQuery, 'cursor'>
type HistoryPage = {
  userId: string
  filters: Filters
  cursor: Cursor | undefined
  limit: number
}

/**
 * The rows before `cursor`, newest first: transactions and the trades of all bots, merged by id.
 */
async function readHistory(sql: Queries, page: HistoryPage): Promise<HistoryRow[]> {
  const [booked, trades] = await Promise.all([readBooked(sql, page), readTradeRows(sql, page)])
  return [...booked, ...trades].toSorted(newestFirst).slice(0, page.limit)
}

const dateOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)

/** Rows per read of a search, which may skip most of them. */
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
          inEnglish(row.description),
          sentenceText(row.description),
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
  if (wanted.owner.among?.length === 0) return []
  const trades = await readTradesBefore(sql, { ...wanted, before: cursor, limit })
  const names = await findBotNames(sql, { userId, ids: trades.map(({ botId }) => botId) })
  return trades.map((trade) => tradeRow(trade, names.get(trade.botId) ?? ''))
}

async function wantedTrades(
  sql: Queries,
  { userId, filters: { bot, from, to, q } }: Pick<HistoryPage, 'userId' | 'filters'>,
): Promise<TradesWanted> {
  const owner = { userId, ...(bot !== undefined && { botId: bot }) }
  const period = { from: dateOf(from), to: dateOf(to) }
  if (!q) return { owner, period, isWanted: () => true }
  const { among, isWanted, ids } = tradesFound(q, await findNamedSleeves(sql, { userId, bot }))
  return { owner: { ...owner, among }, period: { ...period, ids }, isWanted }
}

function newestFirst(a: HistoryRow, b: HistoryRow): number {
  if (a.sortId !== b.sortId) return a.sortId < b.sortId ? 1 : -1
  return a.id < b.id ? 1 : -1
}
