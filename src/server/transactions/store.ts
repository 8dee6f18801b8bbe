import type { Units } from '#core/money/amount.ts'
import { part, type Queries } from '#server/db/statement.ts'

export type HistoryRow = {
  /** A transaction's id, or '<change>.<bot>' of a trade. */
  id: string
  /** Orders the history: ids sort by their time of creation. */
  sortId: string
  type: 'deposit' | 'withdrawal' | 'trade' | 'transfer' | 'refund' | 'dispute'
  description: string
  amount: Units
  currency: string
  status: 'pending' | 'processing' | 'completed' | 'failed'
  createdAt: Date
}

export type Cursor = { sortId: string; id: string }
export type HistoryPage = { userId: string; type: HistoryRow['type'] | undefined; cursor: Cursor | undefined; limit: number }

/** The user's history before `cursor` without trades, newest first. */
export async function findTransactions(sql: Queries, { userId, type, cursor, limit }: HistoryPage): Promise<HistoryRow[]> {
  return sql<HistoryRow[]>`
    select id::text, id as sort_id, type, description, amount, currency, status, created_at
      from transactions
     where user_id = ${userId} ${type === undefined ? part`` : part`and type = ${type}`} ${cursor === undefined ? part`` : part`and id < ${cursor.sortId}`}
     order by id desc limit ${limit}`
}

/** Names of the user's bots, including closed ones. */
export async function findBotNames(sql: Queries, { userId, ids }: { userId: string; ids: readonly string[] }): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from trading_bots where user_id = ${userId} and id = any(${[...new Set(ids)]}::text[]::uuid[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type ReceiptSource = HistoryRow & { transferId: string; withdrawalId: string | null; paymentIntentId: string | null; botId: string | null }

export async function findTransaction(sql: Queries, { userId, id }: { userId: string; id: string }): Promise<ReceiptSource | undefined> {
  const [row] = await sql<ReceiptSource[]>`
    select id::text, id as sort_id, type, description, amount, currency, status, created_at, transfer_id, withdrawal_id, payment_intent_id, bot_id
      from transactions where user_id = ${userId} and id = ${id}`
  return row
}

export type LedgerLine = { account: string; asset: string; amount: Units; recordedAt: Date }

/** The ledger entries of a transaction: of its own transfer and, for a withdrawal, of every later step. */
export async function findLines(sql: Queries, { userId, transferId, withdrawalId }: ReceiptSource & { userId: string }): Promise<LedgerLine[]> {
  const steps = withdrawalId ? `withdrawal:${withdrawalId}:` : null
  return sql<LedgerLine[]>`
    select a.code as account, e.asset, e.amount, t.recorded_at
      from ledger_transfers t
      join ledger_entries e on e.user_id = t.user_id and e.transfer_id = t.id
      join ledger_accounts a on a.user_id = e.user_id and a.id = e.account_id
     where t.user_id = ${userId}
       and (t.id = ${transferId}
            or (${steps}::text is not null and t.dedup_key >= ${steps}::text and t.dedup_key < ${steps && `withdrawal:${withdrawalId};`}::text))
     order by t.recorded_at, t.id, e.amount`
}

/** Every transaction of the user, oldest first, in portions, because the statement may be long. */
export async function* streamStatement(sql: Queries, userId: string): AsyncGenerator<HistoryRow[]> {
  for (let after: string | null = null; ; ) {
    const rows: HistoryRow[] = await sql<HistoryRow[]>`
      select id::text, id as sort_id, type, description, amount, currency, status, created_at from transactions
       where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid) order by id limit 500`
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.id ?? null
  }
}
