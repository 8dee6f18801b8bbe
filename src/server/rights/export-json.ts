import { unitsToDecimal } from '#core/money/decimal.ts'
import { amountOf } from '#core/trading/allocation.ts'
import {
  interestByMidnight,
  readLives,
  streamTrades,
  tradeId,
  type BotsTrade,
} from '#server/holdings/derived-trades.ts'
import type { Queries } from '#server/db/statement.ts'
import { COUNTS, EXPORTED_TABLES } from './exported-tables.ts'
import { auditRowsOf, rowsOf, type ExportedRow } from './read-rows.ts'

/**
 * All that the database holds about the user, as one JSON document, written while it is read.
 * Amounts are decimal strings, times are UTC.
 */
export async function* exportJson(
  sql: Queries,
  { userId, madeAt }: { userId: string; madeAt: Date },
): AsyncGenerator<string> {
  yield `{\n"madeAt": ${JSON.stringify(madeAt)}`
  for (const table of EXPORTED_TABLES) yield* listed(table.name, rowsOf(sql, table, userId))
  yield* listed('trades', tradesOf(sql, userId))
  yield* listed('interest', interestOf(sql, userId))
  yield* listed('audit', auditRowsOf(sql, userId))
  yield '\n}\n'
}

async function* listed(
  name: string,
  portions: AsyncGenerator<ExportedRow[]>,
): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}: [`
  let before = '\n'
  for await (const rows of portions) {
    for (const row of rows) {
      yield before + JSON.stringify(row, printed)
      before = ',\n'
    }
  }
  yield '\n]'
}

function printed(name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  return COUNTS.has(name) ? String(value) : unitsToDecimal(value, 8)
}

async function* tradesOf(sql: Queries, userId: string): AsyncGenerator<ExportedRow[]> {
  for await (const trades of streamTrades(sql, { userId })) yield trades.map(showTrade)
}

/** Interest on the idle cash of bots, at each midnight that paid some. */
async function* interestOf(sql: Queries, userId: string): AsyncGenerator<ExportedRow[]> {
  const paid = interestByMidnight(await readLives(sql, { userId }))
  yield paid.map(({ botId, change, amount }) => ({
    botId,
    pair: change.pair,
    marketTime: change.marketTime,
    recordedAt: change.createdAt,
    amount,
  }))
}

function showTrade(trade: BotsTrade): ExportedRow {
  const { change, side, share, cost, profit, botId } = trade
  return {
    id: tradeId(trade),
    botId,
    pair: change.pair,
    side,
    marketTime: change.marketTime,
    recordedAt: change.createdAt,
    quantity: share.quantity,
    price: change.price,
    amount: amountOf({ share, side }),
    fee: share.fee,
    cost,
    profit,
  }
}
