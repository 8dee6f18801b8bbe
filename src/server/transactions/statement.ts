import { inEnglish } from '#core/sentences.ts'
import type { ExportQuery } from '#contract/transactions.ts'
import { csvCell } from '#core/csv-cell.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Queries } from '#server/db/statement.ts'
import { streamStatement, type StatementRow } from './store.ts'

function line(
  { id, type, description, amount, currency, status, createdAt }: StatementRow,
  balance: bigint,
): string {
  const counted = status === 'failed' ? 0n : amount
  const cells = [
    createdAt.toISOString(),
    type,
    csvCell(inEnglish(description)),
    status,
    unitsToDecimal(counted, 8),
    unitsToDecimal(balance, 8),
    currency,
    id,
  ]
  return `${cells.join(',')}\n`
}

/**
 * The user's cash account as CSV, oldest first: each row's change of the cash, and the balance
 * after it. A failed row counts as zero. The last balance equals the ledger's. A bot or a period
 * filters rows, not balances.
 */
export async function* statementCsv(
  sql: Queries,
  { userId, ...wanted }: ExportQuery & { userId: string },
): AsyncGenerator<string> {
  yield 'date,type,description,status,amount,balance,currency,reference\n'
  let balance = 0n
  for await (const rows of streamStatement(sql, userId)) {
    for (const row of rows) {
      if (row.status !== 'failed') balance += row.amount
      if (isExported(row, wanted)) yield line(row, balance)
    }
  }
}

export function isExported(
  { botId, createdAt }: { botId: string | null; createdAt: Date },
  { bot, from, to }: ExportQuery,
): boolean {
  return (
    (bot === undefined || botId === bot) &&
    (from === undefined || createdAt >= new Date(from)) &&
    (to === undefined || createdAt < new Date(to))
  )
}
