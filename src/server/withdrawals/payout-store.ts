import { required } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { isOfFrozen } from '#server/auth/frozen.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { debtors } from '#server/ledger/read.ts'
import type { Payouts } from '#server/ports/payouts.ts'
import { isOnHold } from '#server/withdrawal-holds.ts'
import type { WithdrawalKey } from './store.ts'

const isOfDebtor = part`exists (select 1 from ${debtors} debtor where debtor.user_id = w.user_id)`

/** Selects payouts that have been in a state for `forMs`, or were not polled for `unpolledMs`. */
export type Due =
  | { state: 'pending' | 'approved'; forMs: number }
  | {
      state: 'submitted' | 'paid'
      provider: Payouts['provider']
      unpolledMs: number
      withinDays: number
    }
export type Polling = Extract<Due, { unpolledMs: number }>

const isDue = (due: Due) =>
  'forMs' in due
    ? part`
      w.state = ${due.state} and w.updated_at <= now() - ${due.forMs} * interval '1 millisecond'
         and (w.asked_at is null or w.asked_at <= now() - interval '1 minute')
         and not ${isOfDebtor} and not ${isOfFrozen} and not ${isOnHold}`
    : part`
      w.state = ${due.state} and w.payout_provider = ${due.provider}
         and (w.asked_at is null
              or w.asked_at <= now() - ${due.unpolledMs} * interval '1 millisecond')
         and (w.state = 'submitted' or w.provider_reference is not null)
         and w.updated_at > now() - ${due.withinDays} * interval '1 day'`

/** `updatedAt`: when it entered its state. */
export type DueWithdrawal = WithdrawalKey & {
  amount: Units
  reference: string | null
  updatedAt: Date
  waitsFor: string | null
  /** Whether it was never polled since it entered its state. */
  isNew: boolean
  name: string
  email: string | null
  bankAccountId: string
  routingNumber: string
  accountNumberSealed: string
  accountType: 'checking' | 'savings'
}

/**
 * The least recently tried first. Skips users in debt, frozen or on hold, unless the money is on
 * its way.
 */
export async function findDue(sql: Queries, due: Due): Promise<DueWithdrawal[]> {
  return sql<DueWithdrawal[]>`
    select w.user_id, w.id, w.amount, w.provider_reference as reference, w.updated_at,
           w.waits_for, w.asked_at is null as is_new,
           u.first_name || ' ' || u.last_name as name, u.email, b.id as bank_account_id,
           b.routing_number, b.account_number_sealed, b.account_type
      from withdrawal_requests w join users u on u.id = w.user_id join bank_accounts b
           on b.user_id = w.user_id and b.id = w.bank_account_id
     where ${isDue(due)} order by w.asked_at nulls first, w.updated_at limit 200`
}

/**
 * Marks a payout as polled now. Until the answer is noted, its state is uncertain. Returns false if
 * another process has polled it since it was read.
 */
export async function takePayout(
  sql: Queries,
  { userId, id, waitsFor, isNew }: DueWithdrawal,
  due: Polling,
): Promise<boolean> {
  const { count } = await sql`
    update withdrawal_requests w set asked_at = now(), waits_for = null
     where w.user_id = ${userId} and w.id = ${id} and ${isDue(due)}
       and (w.asked_at is null) = ${isNew} and w.waits_for is not distinct from ${waitsFor}`
  return count === 1
}

/** Stores the reason why a payout waits, and the time of the attempt. */
export async function setWaitsFor(
  sql: Queries,
  { userId, id, reason }: WithdrawalKey & { reason: string },
): Promise<void> {
  await sql`
    update withdrawal_requests set waits_for = ${reason}, asked_at = now()
     where user_id = ${userId} and id = ${id} and state in ('approved', 'submitted')`
}

/** Stores the provider's reference; false if another withdrawal has it already. */
export async function setReference(
  tx: Queries,
  { userId, id, reference }: WithdrawalKey & { reference: string },
): Promise<boolean> {
  const { count } = await tx`
    insert into payout_references as known (provider_reference, user_id, withdrawal_id)
    values (${reference}, ${userId}, ${id})
    on conflict (provider_reference) do update set withdrawal_id = excluded.withdrawal_id
     where known.user_id = excluded.user_id and known.withdrawal_id = excluded.withdrawal_id`
  if (count === 0) return false
  await tx`update withdrawal_requests set provider_reference = ${reference}
    where user_id = ${userId} and id = ${id}`
  return true
}

export type Payable = {
  withdrawalId: string
  userId: string
  bankAccountId: string
  name: string
  amount: Units
}

/** Oldest first, without those of users who are in debt, frozen or on hold. */
export async function findPayable(tx: Queries, limit: number): Promise<Payable[]> {
  return tx<Payable[]>`
    select w.id as withdrawal_id, w.user_id, w.bank_account_id, u.first_name || ' ' || u.last_name
           as name, w.amount
      from withdrawal_requests w join users u on u.id = w.user_id
     where w.state = 'approved' and not ${isOfDebtor} and not ${isOfFrozen} and not ${isOnHold}
     order by w.created_at, w.id limit ${limit}`
}

export async function findPayeeName(sql: Queries, userId: string): Promise<string> {
  const [row] = await sql<
    { name: string }[]
  >`select first_name || ' ' || last_name as name from users where id = ${userId}`
  return required(row, 'a session has its user').name
}

type NewBatch = { operator: string; createdAt: Date; lines: readonly Payable[] }

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

export async function findBatches(sql: Queries): Promise<BatchRow[]> {
  return sql<BatchRow[]>`
    select b.number, b.operator, b.created_at, b.payouts, b.total,
           (count(*) filter (where w.state = 'submitted'))::integer as open,
           (count(*) filter (where w.state in ('returned', 'failed')))::integer as returned
      from payout_batches b join payout_batch_lines l on l.batch = b.number
      join withdrawal_requests w on w.user_id = l.user_id and w.id = l.withdrawal_id
     group by b.number order by b.number desc limit 50`
}
