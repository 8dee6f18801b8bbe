import type { Transaction, TransactionPage } from '#contract/transactions.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Queries } from '#server/db/open.ts'
import type { Handler } from '#server/http/handler.ts'
import { isId } from '#server/ids.ts'
import { findHistory, type Cursor, type HistoryRow } from './store.ts'

const PAGE = 50

export const listTransactions: Handler<'listTransactions'> = ({ sql }, { userId, query: { type, cursor } }) =>
  readTransactions(sql, { userId, type, cursor })

type PageOf = { userId: string; type: Transaction['type'] | undefined; cursor: string | undefined }

export async function readTransactions(sql: Queries, { userId, type, cursor }: PageOf): Promise<TransactionPage> {
  const rows = await findHistory(sql, { userId, type, cursor: cursor === undefined ? undefined : readCursor(cursor), limit: PAGE + 1 })
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined
  return { items: rows.slice(0, PAGE).map(showTransaction), nextCursor: last ? `${last.sortId}~${last.id}` : null }
}

function readCursor(text: string): Cursor {
  const [sortId = '', id = ''] = text.split('~')
  if (!isId(sortId) || !id.split('.').every(isId)) throw new Refusal('invalid-input', { field: 'cursor', sentence: 'This cursor is not one of ours.' })
  return { sortId, id }
}

export function showTransaction({ id, type, description, amount, currency, status, createdAt }: HistoryRow): Transaction {
  return { id, type, description, amount: unitsToDecimal(amount, 2), currency, status, createdAt: createdAt.toISOString() }
}
