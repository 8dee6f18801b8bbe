import { required } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { isOfFrozen } from '#server/auth/frozen.ts'
import type { Queries } from '#server/db/statement.ts'
import { isOnHold } from '#server/withdrawal-holds.ts'
import { isOfDebtor } from './store.ts'

export type Payable = {
  withdrawalId: string
  userId: string
  bankAccountId: string
  name: string
  amount: Units
}

/**
 * Approved withdrawals of users who are neither in debt nor frozen and whose withdrawals need not
 * wait, oldest first.
 */
export async function findPayable(tx: Queries, limit: number): Promise<Payable[]> {
  return tx<Payable[]>`
    select w.id as withdrawal_id, w.user_id, w.bank_account_id, u.first_name || ' ' || u.last_name
           as name, w.amount
      from withdrawal_requests w join users u on u.id = w.user_id
     where w.state = 'approved' and not ${isOfDebtor} and not ${isOfFrozen} and not ${isOnHold}
     order by w.created_at, w.id limit ${limit}`
}

type NewBatch = { operator: string; createdAt: Date; lines: readonly Payable[] }

/** Returns the batch's number. */
export async function insertBatch(
  tx: Queries,
  { operator, createdAt, lines }: NewBatch,
): Promise<number> {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n)
  const [batch] = await tx<{ number: number }[]>`
    insert into payout_batches (operator, payouts, total, created_at)
    values (${operator}, ${lines.length}, ${total}, ${createdAt}) returning number`
  const { number } = required(batch, 'an insert returns its row')
  const rows = lines.map(({ withdrawalId, userId, bankAccountId, name, amount }, index) => ({
    withdrawalId,
    batch: number,
    position: index + 1,
    userId,
    bankAccountId,
    name,
    amount: String(amount),
  }))
  await tx`
    insert into payout_batch_lines (user_id, withdrawal_id, batch, position, bank_account_id, name,
           amount)
    select "userId", "withdrawalId", batch, position, "bankAccountId", name, amount
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as line ("withdrawalId" uuid, batch integer, position integer, "userId" uuid,
           "bankAccountId" uuid, name text, amount bigint)`
  return number
}

export async function findBatch(
  sql: Queries,
  number: number,
): Promise<{ createdAt: Date } | undefined> {
  const [batch] = await sql<
    { createdAt: Date }[]
  >`select created_at from payout_batches where number = ${number}`
  return batch
}

export type StoredBatchLine = {
  withdrawalId: string
  userId: string
  name: string
  routingNumber: string
  accountNumberSealed: string
  accountType: 'checking' | 'savings'
  amount: Units
}

export async function findBatchLines(sql: Queries, number: number): Promise<StoredBatchLine[]> {
  return sql<StoredBatchLine[]>`
    select l.withdrawal_id, l.user_id, l.name, b.routing_number, b.account_number_sealed,
           b.account_type, l.amount
      from payout_batch_lines l join bank_accounts b on b.user_id = l.user_id
       and b.id = l.bank_account_id
     where l.batch = ${number} order by l.position`
}

export type BatchRow = {
  number: number
  operator: string
  createdAt: Date
  payouts: number
  total: Units
  open: number
  returned: number
}

/** The newest 50, for operators. */
export async function findBatches(sql: Queries): Promise<BatchRow[]> {
  return sql<BatchRow[]>`
    select b.number, b.operator, b.created_at, b.payouts, b.total,
           (count(*) filter (where w.state = 'submitted'))::integer as open,
           (count(*) filter (where w.state in ('returned', 'failed')))::integer as returned
      from payout_batches b join payout_batch_lines l on l.batch = b.number
      join withdrawal_requests w on w.user_id = l.user_id and w.id = l.withdrawal_id
     group by b.number order by b.number desc limit 50`
}
