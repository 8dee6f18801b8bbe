import { required } from '#core/assert.ts'
import type { HoldReason } from '#core/withdrawals/hold-reason.ts'
import type { ReviewReason } from '#core/withdrawals/review.ts'
import type { WithdrawalState } from '#core/withdrawals/withdrawal.ts'
import type { Units } from '#core/money/amount.ts'
import { isOfFrozen } from '#server/auth/frozen.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { debtors } from '#server/ledger/read.ts'
import type { Payouts } from '#server/ports/payouts.ts'
import { heldUntil, holdReason, isOnHold } from '#server/withdrawal-holds.ts'

/** A condition for statements, worded like the index `withdrawal_requests_open`. */
const isOpen = part`state in ('pending', 'in_review', 'approved', 'submitted')`

export async function hasOpenWithdrawal(
  tx: Queries,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const rows = await tx`
    select from withdrawal_requests where user_id = ${userId} and bank_account_id = ${id}
       and ${isOpen} limit 1`
  return rows.length > 0
}

export type StoredWithdrawal = {
  id: string
  userId: string
  amount: Units
  state: WithdrawalState
  bankAccountId: string
  bankName: string
  accountNumberLast4: string
  createdAt: Date
  updatedAt: Date
  processedAt: Date | null
  /** Until when it is not sent, to protect the account. */
  heldUntil: Date | null
}

/** `user`: whose holds make it wait. */
const withdrawalColumns = (user = part`w.user_id`) => part`
  w.id, w.user_id, w.amount, w.state, w.bank_account_id, b.bank_name, b.account_number_last4,
  w.created_at, w.updated_at, w.processed_at, ${heldUntil(user)} as held_until`

const withdrawalRows = (userId: string) => part`
  select ${withdrawalColumns(part`${userId}::uuid`)} from withdrawal_requests w join bank_accounts b
         on b.user_id = w.user_id and b.id = w.bank_account_id`

/** The newest 50. */
export async function findWithdrawals(sql: Queries, userId: string): Promise<StoredWithdrawal[]> {
  return sql<
    StoredWithdrawal[]
  >`${withdrawalRows(userId)} where w.user_id = ${userId} order by w.id desc limit 50`
}

/** Includes the user, so that nobody reaches another user's withdrawal. */
export type WithdrawalKey = { userId: string; id: string }

/** By id alone: operators do not name the user. */
export async function findWithdrawalKey(
  sql: Queries,
  id: string,
): Promise<WithdrawalKey | undefined> {
  const [row] = await sql<
    WithdrawalKey[]
  >`select user_id, id from withdrawal_requests where id = ${id}`
  return row
}

export async function lockWithdrawal(
  tx: Queries,
  { userId, id }: WithdrawalKey,
): Promise<StoredWithdrawal | undefined> {
  await tx`select from withdrawal_requests where user_id = ${userId} and id = ${id} for no key
    update`
  // In a statement of its own, which sees the holds of whoever had the lock before.
  const [row] = await tx<
    StoredWithdrawal[]
  >`${withdrawalRows(userId)} where w.user_id = ${userId} and w.id = ${id}`
  return row
}

/**
 * `delayHours`: of the protections that the user has chosen. `onHoldUntil`: of the user's
 * withdrawals. `reasons`: why an operator must look at it.
 */
type NewWithdrawal = WithdrawalKey & {
  account: { id: string; bankName: string; accountNumberLast4: string }
  amount: Units
  delayHours: number
  onHoldUntil: Date | null
  reasons: readonly ReviewReason[]
}

export async function insertWithdrawal(
  tx: Queries,
  { id, userId, account, amount, delayHours, onHoldUntil, reasons }: NewWithdrawal,
): Promise<StoredWithdrawal> {
  const { id: bankAccountId, bankName, accountNumberLast4 } = account
  const [made] = await tx<Omit<StoredWithdrawal, 'bankName' | 'accountNumberLast4'>[]>`
    insert into withdrawal_requests (user_id, id, bank_account_id, amount, state, review_reasons,
           send_after)
    values (${userId}, ${id}, ${bankAccountId}, ${amount}, 'pending', ${[...reasons]}::text[],
           now() + ${delayHours === 0 ? null : delayHours}::integer * interval '1 hour')
    returning id, user_id, amount, state, bank_account_id, created_at, updated_at, processed_at,
           greatest(send_after, ${onHoldUntil}::timestamptz) as held_until`
  return { ...required(made, 'an insert returns its row'), bankName, accountNumberLast4 }
}

/** `provider`: of the payout, given when it is submitted to one. */
type NewState = { state: WithdrawalState; processed: boolean; provider?: string }

/** The withdrawal, which is locked, with its new state. */
export async function setWithdrawalState(
  tx: Queries,
  withdrawal: StoredWithdrawal,
  { state, processed, provider }: NewState,
): Promise<StoredWithdrawal> {
  const [changed] = await tx<Pick<StoredWithdrawal, 'state' | 'updatedAt' | 'processedAt'>[]>`
    update withdrawal_requests
       set state = ${state}, updated_at = now(),
           processed_at = ${processed ? part`now()` : part`processed_at`},
           payout_provider = coalesce(${provider ?? null}, payout_provider), waits_for = null,
           asked_at = ${provider === undefined ? part`asked_at` : null}
     where user_id = ${withdrawal.userId} and id = ${withdrawal.id}
    returning state, updated_at, processed_at`
  return { ...withdrawal, ...required(changed, 'the withdrawal is locked') }
}

/** Withdrawals that were requested since then and can still be stopped. */
export async function findUnsentSince(
  sql: Queries,
  { userId, since }: { userId: string; since: string },
): Promise<StoredWithdrawal[]> {
  return sql<StoredWithdrawal[]>`
    ${withdrawalRows(userId)}
     where w.user_id = ${userId} and w.state in ('pending', 'in_review', 'approved')
       and w.created_at >= ${since}::timestamptz order by w.id`
}

/** A condition for statements in which `w` is the withdrawal. */
const isOfDebtor = part`exists (select 1 from ${debtors} debtor where debtor.user_id = w.user_id)`

type WaitingWithdrawal = WithdrawalKey & { amount: Units }

/**
 * Withdrawals that have been in `state` for at least `forMs`, oldest first, without those of users
 * in debt, frozen or whose withdrawals wait, and those that were tried within a minute.
 */
export async function findWithdrawalsIn(
  sql: Queries,
  { state, forMs }: { state: 'pending' | 'approved'; forMs: number },
): Promise<WaitingWithdrawal[]> {
  return sql<WaitingWithdrawal[]>`
    select w.user_id, w.id, w.amount from withdrawal_requests w
     where w.state = ${state} and w.updated_at <= now() - ${forMs} * interval '1 millisecond'
       and not ${isOfDebtor} and not ${isOfFrozen} and not ${isOnHold}
       and (w.asked_at is null or w.asked_at <= now() - interval '1 minute')
     order by w.updated_at limit 500`
}

/**
 * Notes why an approved withdrawal is not paid yet, and that it was tried now; false if that reason
 * is known already.
 */
export async function setWaitsFor(
  sql: Queries,
  { userId, id, reason }: WithdrawalKey & { reason: string },
): Promise<boolean> {
  const { count } = await sql`
    update withdrawal_requests set waits_for = ${reason}, asked_at = now()
     where user_id = ${userId} and id = ${id} and state = 'approved'
       and waits_for is distinct from ${reason}`
  if (count === 0)
    await sql`
      update withdrawal_requests set asked_at = now()
       where user_id = ${userId} and id = ${id} and state = 'approved'`
  return count > 0
}

export type StoredPayout = WithdrawalKey & {
  amount: Units
  state: 'submitted' | 'paid'
  reference: string | null
  submittedAt: Date
}
export type DuePayouts = {
  provider: Payouts['provider']
  state: 'submitted' | 'paid'
  polledBeforeMs: number
  withinDays?: number
}

const isDue = ({ provider, state, polledBeforeMs }: DuePayouts) => part`
  state = ${state} and payout_provider = ${provider} and (asked_at is null
         or asked_at <= now() - ${polledBeforeMs} * interval '1 millisecond')`

/** Payouts of `provider` that are due for polling, the least recently polled first. */
export async function findPayouts(sql: Queries, due: DuePayouts): Promise<StoredPayout[]> {
  return sql<StoredPayout[]>`
    select user_id, id, amount, state, provider_reference as reference, updated_at as submitted_at
      from withdrawal_requests
     where ${isDue(due)} and (state = 'submitted' or provider_reference is not null)
       and updated_at > now() - ${due.withinDays ?? 365} * interval '1 day'
     order by asked_at nulls first, updated_at limit 200`
}

/** Marks a payout as polled now; false if another process was first. */
export async function takePayout(
  sql: Queries,
  { userId, id }: WithdrawalKey,
  due: DuePayouts,
): Promise<boolean> {
  const { count } = await sql`
    update withdrawal_requests set asked_at = now() where user_id = ${userId} and id = ${id}
       and ${isDue(due)}`
  return count === 1
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

type StoredPayee = {
  name: string
  email: string | null
  bankAccountId: string
  routingNumber: string
  accountNumberSealed: string
  accountType: 'checking' | 'savings'
}

export async function findPayee(sql: Queries, { userId, id }: WithdrawalKey): Promise<StoredPayee> {
  const [row] = await sql<StoredPayee[]>`
    select u.first_name || ' ' || u.last_name as name, u.email, b.id as bank_account_id,
           b.routing_number, b.account_number_sealed, b.account_type
      from withdrawal_requests w join users u on u.id = w.user_id join bank_accounts b
           on b.user_id = w.user_id and b.id = w.bank_account_id
     where w.user_id = ${userId} and w.id = ${id}`
  return required(row, 'a withdrawal has its bank account')
}

/**
 * `holdReason`: why its owner's withdrawals wait; null if they do not, or only by the delay that
 * the owner chose.
 */
type OpenWithdrawal = StoredWithdrawal & {
  username: string
  holdReason: HoldReason | null
  reviewReasons: ReviewReason[]
  payoutProvider: Payouts['provider'] | null
  waitsFor: string | null
}

/** All withdrawals in open states, for operators. */
export async function findOpenWithdrawals(sql: Queries): Promise<OpenWithdrawal[]> {
  return sql<OpenWithdrawal[]>`
    select ${withdrawalColumns()}, ${holdReason} as hold_reason, u.username, w.review_reasons,
           w.payout_provider, w.waits_for
      from withdrawal_requests w join bank_accounts b on b.user_id = w.user_id
       and b.id = w.bank_account_id join users u on u.id = w.user_id
     where ${isOpen} order by w.created_at`
}

/**
 * Returns how many different operators have approved. Operators who were disabled meanwhile do not
 * count, nor do approvals of the time when an operator was only a name.
 */
export async function addApproval(
  tx: Queries,
  { userId, id, operatorId }: WithdrawalKey & { operatorId: string },
): Promise<number> {
  await tx`
    insert into withdrawal_approvals (user_id, withdrawal_id, operator)
    values (${userId}, ${id}, ${operatorId})
    on conflict on constraint withdrawal_approvals_pkey do nothing`
  const rows = await tx`
    select from withdrawal_approvals a join operators o on o.id::text = a.operator
     where a.user_id = ${userId} and a.withdrawal_id = ${id} and o.disabled_at is null`
  return rows.length
}

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
