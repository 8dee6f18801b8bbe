import { inEnglish } from '#core/sentences.ts'
import type { ExportQuery } from '#contract/transactions.ts'
import { csvCell, csvLine, csvNumber, type CsvStyle } from '#core/csv-cell.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Queries } from '#server/db/statement.ts'
import { streamStatement, type StatementRow } from './store.ts'

const HEAD = 'date,type,description,status,amount,balance,currency,fee,fee currency,reference'

type Line = { row: StatementRow; balance: bigint; style: CsvStyle }

function line({ row, balance, style }: Line): string {
  const { id, type, description, amount, currency, status, createdAt, fee } = row
  const counted = status === 'failed' ? 0n : amount
  const decimal = (units: bigint) => csvNumber(unitsToDecimal(units, 8), style)
  const cells = [
    createdAt.toISOString(),
    type,
    csvCell(inEnglish(description)),
    status,
    decimal(counted),
    decimal(balance),
    currency,
    decimal(fee),
    currency,
    id,
  ]
  return csvLine(cells, style)
}

/**
 * The user's cash account as CSV, oldest first: each row's change of the cash, and the balance
 * after it. A failed row counts as zero. The last balance equals the ledger's. Filters by bot or
 * period remove rows, but do not change balances. `fee`: ours, already deducted from the amount.
 */
export async function* statementCsv(
  sql: Queries,
  { userId, style, ...wanted }: ExportQuery & { userId: string; style: CsvStyle },
): AsyncGenerator<string> {
  yield style.mark + csvLine(HEAD.split(','), style)
  let balance = 0n
  for await (const rows of streamStatement(sql, userId)) {
    for (const row of rows) {
      if (row.status !== 'failed') balance += row.amount
      if (isExported(row, wanted)) yield line({ row, balance, style })
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
