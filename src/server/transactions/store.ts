import type { Sentence } from '#core/sentences.ts'
import type { Units } from '#core/money/amount.ts'
import { CENT } from '#core/money/cents.ts'
import type { Wait } from '#core/trading/wait.ts'
import type { WithdrawalState } from '#core/withdrawals/withdrawal.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { sendsAfter } from '#server/withdrawal-holds.ts'
import type { NamedSleeve } from './search.ts'

export type HistoryRow = {
  /** A transaction's id, or '<change>.<bot>' of a trade. */
  id: string
  /** Sort key of the history: ids sort by time of creation. */
  sortId: string
  type: 'deposit' | 'withdrawal' | 'trade' | 'transfer' | 'refund' | 'dispute'
  description: Sentence
  amount: Units
  currency: string
  status: 'pending' | 'processing' | 'completed' | 'failed'
  createdAt: Date
  marketTime: Date
  botId: string | null
  botName: string | null
  venueFee: Units | null
  /** End of a withdrawal's wait; null for other rows. */
  sendsAfter: Date | null
}

/** A row with the references of its payment or withdrawal. */
export type BookedRow = HistoryRow & {
  paymentIntentId: string | null
  withdrawalId: string | null
  withdrawalState: WithdrawalState | null
  waitsFor: string | null
  waitingPairs: Wait[] | null
}

export type Cursor = { sortId: string; id: string }
export type BookedPage = {
  userId: string
  type: HistoryRow['type'] | undefined
  bot: string | undefined
  from: Date | undefined
  to: Date | undefined
  /** Exclusive end. */
  before: string | undefined
  limit: number
}

/** `userId`: a value, not a column, because a cluster finds a user's holds only by a value. */
const bookedOf = (userId: string) => part`
  select t.id::text, t.id as sort_id, t.type, t.description, t.amount, t.currency, t.status,
         t.created_at, l.event_time as market_time,
         t.bot_id, b.name as bot_name, null::bigint as venue_fee, t.payment_intent_id,
         t.withdrawal_id, t.transfer_id, t.metadata -> 'waiting' as waiting_pairs,
         w.state as withdrawal_state, w.waits_for, ${sendsAfter(part`${userId}::uuid`)}
    from transactions t
    join ledger_transfers l on l.user_id = t.user_id and l.id = t.transfer_id
    left join trading_bots b on b.user_id = t.user_id and b.id = t.bot_id
    left join withdrawal_requests w on w.user_id = t.user_id and w.id = t.withdrawal_id`

/** Rows newest first, without trades. */
export async function findTransactions(
  sql: Queries,
  { userId, type, bot, from, to, before, limit }: BookedPage,
): Promise<BookedRow[]> {
  return sql<BookedRow[]>`
    ${bookedOf(userId)}
     where t.user_id = ${userId} ${type === undefined ? part`` : part`and t.type = ${type}`}
           ${bot === undefined ? part`` : part`and t.bot_id = ${bot}`}
       ${from === undefined ? part`` : part`and t.created_at >= ${from}`}
       ${to === undefined ? part`` : part`and t.created_at < ${to}`}
       ${before === undefined ? part`` : part`and t.id < ${before}`}
     order by t.id desc limit ${limit}`
}

/**
 * For each of these rows, the sum of the fractions of a cent in the user's earlier rows. Earlier
 * rows are read once, in buckets between the ids of these rows; whole cents are skipped.
 */
export async function findEarlierFractions(
  sql: Queries,
  { userId, rows }: { userId: string; rows: readonly HistoryRow[] },
): Promise<Map<string, Units>> {
  const ids = rows
    .filter(({ amount }) => amount % CENT !== 0n)
    .map(({ id }) => id)
    .toSorted()
  const newest = ids.at(-1)
  if (newest === undefined) return new Map()
  // A subquery, because outside of it the array would be converted again for each row.
  const found = await sql<{ bucket: number; amount: Units }[]>`
    select width_bucket(id, (select ${ids}::uuid[])) as bucket,
           sum(amount)::bigint as amount
      from transactions
     where user_id = ${userId} and id < ${newest} and mod(amount, ${CENT}) <> 0
       and status <> 'failed'
     group by bucket`
  const amounts = new Map(found.map(({ bucket, amount }) => [bucket, amount]))
  let earlier = 0n
  return new Map(ids.map((id, bucket) => [id, (earlier += amounts.get(bucket) ?? 0n) % CENT]))
}

/** The sum of all rows except trades and failed rows. */
export async function findCash(sql: Queries, userId: string): Promise<Units> {
  const [row] = await sql<
    { balance: Units }[]
  >`select balance from ledger_accounts where user_id = ${userId} and code = 'customer:cash'`
  return row?.balance ?? 0n
}

/** Sleeves of one or all of the user's bots, closed ones too. */
export async function findNamedSleeves(
  sql: Queries,
  { userId, bot }: { userId: string; bot: string | undefined },
): Promise<NamedSleeve[]> {
  return sql<NamedSleeve[]>`
    select s.bot_id, s.pool, p.pair, b.name as bot_name
      from sleeves s
      join trading_bots b on b.user_id = s.user_id and b.id = s.bot_id
      join pools p on p.id = s.pool
     where s.user_id = ${userId} ${bot === undefined ? part`` : part`and s.bot_id = ${bot}`}`
}

/** Names of the user's bots, including closed ones. */
export async function findBotNames(
  sql: Queries,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from trading_bots where user_id = ${userId}
       and id = any(${[...new Set(ids)]}::uuid[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type ReceiptSource = BookedRow & { transferId: string }

/** Finds a row by its own id or, for a withdrawal, by the id of the request. */
export async function findTransaction(
  sql: Queries,
  { userId, id }: { userId: string; id: string },
): Promise<ReceiptSource | undefined> {
  const [row] = await sql<ReceiptSource[]>`
    ${bookedOf(userId)} where t.user_id = ${userId} and (t.id = ${id} or t.withdrawal_id = ${id}
    and t.type = 'withdrawal')`
  return row
}

type LedgerLine = { account: string; asset: string; amount: Units; recordedAt: Date }

/** Ledger entries of its own transfer and, for a withdrawal, of every later step. */
export async function findLines(
  sql: Queries,
  { userId, transferId, withdrawalId }: ReceiptSource & { userId: string },
): Promise<LedgerLine[]> {
  const steps = withdrawalId ? `withdrawal:${withdrawalId}:` : null
  return sql<LedgerLine[]>`
    select a.code as account, e.asset, e.amount, t.recorded_at
      from ledger_transfers t
      join ledger_entries e on e.user_id = t.user_id and e.transfer_id = t.id
      join ledger_accounts a on a.user_id = e.user_id and a.id = e.account_id
     where t.user_id = ${userId}
       and (t.id = ${transferId}
            or (${steps}::text is not null and t.dedup_key >= ${steps}::text
               and t.dedup_key < ${steps && `withdrawal:${withdrawalId};`}::text))
     order by t.recorded_at, t.id, e.amount`
}

export type StatementRow = Pick<
  HistoryRow,
  'id' | 'type' | 'description' | 'amount' | 'currency' | 'status' | 'createdAt' | 'botId'
> & { fee: bigint }

/** Oldest first, in portions, because the statement may be long. */
export async function* streamStatement(
  sql: Queries,
  userId: string,
): AsyncGenerator<StatementRow[]> {
  for (let after: string | null = null; ;) {
    const rows: StatementRow[] = await sql<StatementRow[]>`
      select id::text, type, description, amount, currency, status, created_at, bot_id,
             coalesce((select e.amount from ledger_entries e join ledger_accounts a
             on a.user_id = e.user_id and a.id = e.account_id and a.code = 'fees:income'
             where e.user_id = ${userId} and e.transfer_id = transactions.transfer_id), 0)::bigint
             as fee
        from transactions
       where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid) order by id
       limit 500`
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.id ?? null
  }
}
