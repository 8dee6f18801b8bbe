import type { Units } from '#core/money/amount.ts'
import type { TradeShare } from '#server/bots/show-trade.ts'
import type { Queries } from '#server/db/open.ts'

export type HistoryRow = {
  /** A transaction's id, or '<block>.<bot>' of a trade. */
  id: string
  /** What history is ordered by: ids sort by the time they were made. */
  sortId: string
  type: 'deposit' | 'withdrawal' | 'trade' | 'transfer' | 'refund' | 'dispute'
  description: string
  amount: Units
  currency: string
  status: 'pending' | 'processing' | 'completed' | 'failed'
  createdAt: Date
}

export type HistoryPage = { userId: string; type: string | undefined; cursor: Cursor | undefined; limit: number }
export type Cursor = { sortId: string; id: string }

/** The user's history before `cursor`, newest first: transactions and the trades of all bots, merged by id. */
export async function findHistory(sql: Queries, { userId, type, cursor, limit }: HistoryPage): Promise<HistoryRow[]> {
  const wanted = type ?? null
  const before = cursor?.sortId ?? null
  const beforeId = cursor?.id ?? null
  return sql<HistoryRow[]>`
    select * from (
      (select x.id::text as id, x.id as sort_id, x.type, x.description, x.amount, x.currency, x.status, x.created_at
         from transactions x
        where x.user_id = ${userId} and (${wanted}::text is null or x.type = ${wanted})
          and (${before}::uuid is null or x.id < ${before}::uuid)
        order by x.id desc limit ${limit})
      union all
      (select t.block_id || '.' || t.bot_id, t.block_id, 'trade',
              case k.side when 'buy' then 'Bought ' else 'Sold ' end || split_part(k.pair, '/', 1) || ' · ' || b.name,
              case k.side when 'buy' then -t.total else t.total end, 'USD', 'completed', k.planned_at
         from bot_trades t join engine_blocks k on k.id = t.block_id join trading_bots b on b.user_id = t.user_id and b.id = t.bot_id
        where t.user_id = ${userId} and (${wanted}::text is null or ${wanted} = 'trade')
          and (${before}::uuid is null or t.block_id < ${before}::uuid
               or (t.block_id = ${before}::uuid and t.block_id || '.' || t.bot_id < ${beforeId}::text))
        order by t.block_id desc, t.bot_id desc limit ${limit})
    ) history
    order by sort_id desc, id desc limit ${limit}`
}

export type ReceiptSource = HistoryRow & { transferId: string; withdrawalId: string | null; paymentIntentId: string | null; botId: string | null }

export async function findTransaction(sql: Queries, { userId, id }: { userId: string; id: string }): Promise<ReceiptSource | undefined> {
  const [row] = await sql<ReceiptSource[]>`
    select id::text, id as sort_id, type, description, amount, currency, status, created_at, transfer_id, withdrawal_id, payment_intent_id, bot_id
      from transactions where user_id = ${userId} and id = ${id}`
  return row
}

export type LedgerLine = { account: string; asset: string; amount: Units; recordedAt: Date }

/** The entries behind a transaction: its own transfer, and for a withdrawal every step since. */
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

export type TradeReceipt = TradeShare & { botName: string; createdAt: Date }

export async function findTradeReceipt(
  sql: Queries,
  { userId, blockId, botId }: { userId: string; blockId: string; botId: string },
): Promise<TradeReceipt | undefined> {
  const [row] = await sql<TradeReceipt[]>`
    select k.pair, k.side, t.quantity, k.fill_price as price, t.total, t.fee, t.profit, f.fee_amount as platform_fee,
           coalesce(k.reasons ->> b.risk_level, '') as reason, b.name as bot_name, k.planned_at as created_at, k.market_time
      from bot_trades t join engine_blocks k on k.id = t.block_id join trading_bots b on b.user_id = t.user_id and b.id = t.bot_id
      left join platform_fees f on f.user_id = t.user_id and f.block_id = t.block_id and f.bot_id = t.bot_id
     where t.user_id = ${userId} and t.block_id = ${blockId} and t.bot_id = ${botId}`
  return row
}

/** Every transaction of the user, oldest first, in portions: the statement may be long. */
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
