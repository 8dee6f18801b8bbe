import { inEnglish, type Sentence } from '#core/sentences.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { reasonOfTrade } from '#core/strategy/trade-reason.ts'
import { amountOf } from '#core/trading/allocation.ts'
import {
  readBotsInterest,
  streamTrades,
  tradeId,
  type BotsTrade,
} from '#server/holdings/derived-trades.ts'
import { type Queries, part, type Fragment, type SqlValue } from '#server/db/statement.ts'
import { COUNTS, EXPORTED_TABLES, type ExportedTable } from './exported-tables.ts'

/**
 * Yields one JSON document in pieces, while its rows are read. Amounts are decimal strings, times
 * are UTC.
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
  if (name === 'description') return inEnglish(value as Sentence)
  if (typeof value !== 'bigint') return value
  return COUNTS.has(name) ? String(value) : unitsToDecimal(value, 8)
}

async function* tradesOf(sql: Queries, userId: string): AsyncGenerator<ExportedRow[]> {
  for await (const trades of streamTrades(sql, { userId })) yield trades.map(showTrade)
}

/** Interest on the idle cash of bots, at each midnight that paid any. */
async function* interestOf(sql: Queries, userId: string): AsyncGenerator<ExportedRow[]> {
  const paid = await readBotsInterest(sql, { userId })
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
    reason: inEnglish(reasonOfTrade(change, side)),
  }
}

const PORTION = 500

type ExportedRow = Record<string, unknown>

/**
 * Reads rows in portions, so that an export holds neither a whole history in memory nor a
 * connection for long.
 */
async function* rowsOf(
  sql: Queries,
  { table, owner, key, columns }: ExportedTable,
  userId: string,
): AsyncGenerator<ExportedRow[]> {
  const read = sql([...new Set([...columns, ...key])])
  const hidden = key.filter((column) => !columns.includes(column)).map(inCamelCase)
  for (let after: Fragment = part`true`; ;) {
    const rows: ExportedRow[] = await sql`
      select ${read} from ${sql(table)} t where ${sql(owner)} = ${userId} and ${after}
       order by ${sql(key)} limit ${PORTION}`
    const last = rows.at(-1)
    if (last === undefined) return
    const values = key.map((column) => last[inCamelCase(column)] as SqlValue)
    after = part`(${sql(key)}) > (${tuple(values)})`
    yield rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))),
    )
    if (rows.length < PORTION) return
  }
}

/** A column's name as the driver returns it. */
const inCamelCase = (column: string): string =>
  column.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

function tuple([first = null, ...rest]: readonly SqlValue[]): Fragment {
  return rest.reduce<Fragment>((list, value) => part`${list}, ${value}`, part`${first}`)
}

type AuditRow = {
  id: string
  actor: string
  action: string
  subject: string
  details: Record<string, string>
  createdAt: Date
}

/** The part of the audit trail about the user: their own actions, and those on what is theirs. */
async function* auditRowsOf(sql: Queries, userId: string): AsyncGenerator<ExportedRow[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows: AuditRow[] = await sql<AuditRow[]>`
      select id, actor, action, subject, details, created_at from audit_events
       where actor = ${`user:${userId}`} and id > ${after}
      union select id, actor, action, subject, details, created_at from audit_events
       where id > ${after} and subject in (select ${userId}::text union all select id::text
             from withdrawal_requests where user_id = ${userId})
       order by id limit ${PORTION}`
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    // The name of the acting operator is internal.
    yield rows.map(({ actor, ...row }) => ({
      ...row,
      actor: actor.startsWith('operator:') ? 'operator' : actor,
    }))
    if (rows.length < PORTION) return
  }
}
