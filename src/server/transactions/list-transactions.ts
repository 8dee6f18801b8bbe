import type { TransactionPage } from '#contract/transactions.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { isId } from '#server/ids.ts'
import { readHistory, type Filters } from './read-history.ts'
import { showTransaction } from './show-history.ts'
import { findCash, findEarlierFractions, type Cursor } from './store.ts'

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
