import { required } from '#core/assert.ts'
import type { HoldReason } from '#core/withdrawals/hold-reason.ts'
import type { ReviewReason } from '#core/withdrawals/review.ts'
import { isDisowned, type WithdrawalState } from '#core/withdrawals/withdrawal.ts'
import type { Units } from '#core/money/amount.ts'
import { part, type Queries } from '#server/db/statement.ts'
import type { Payouts } from '#server/ports/payouts.ts'
import { heldUntil, holdReason } from '#server/withdrawal-holds.ts'

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
  heldUntil: Date | null
  waitsFor: string | null
}

/** `user`: the owner, whose holds make the withdrawal wait. */
const withdrawalColumns = (user = part`w.user_id`) => part`
  w.id, w.user_id, w.amount, w.state, w.bank_account_id, b.bank_name, b.account_number_last4,
  w.created_at, w.updated_at, w.processed_at, w.waits_for, ${heldUntil(user)} as held_until`

const withdrawalRows = (userId: string) => part`
  select ${withdrawalColumns(part`${userId}::uuid`)} from withdrawal_requests w join bank_accounts b
         on b.user_id = w.user_id and b.id = w.bank_account_id`

export async function findWithdrawals(sql: Queries, userId: string): Promise<StoredWithdrawal[]> {
  return sql<
    StoredWithdrawal[]
  >`${withdrawalRows(userId)} where w.user_id = ${userId} order by w.id desc limit 50`
}

/** Includes the user id, so that no user can reach another user's withdrawal. */
export type WithdrawalKey = { userId: string; id: string }

/** Finds a withdrawal by id alone, because operators do not name the user. */
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
  // A separate statement, so that it sees holds written by the previous owner of the lock.
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
           waits_for, greatest(send_after, ${onHoldUntil}::timestamptz) as held_until`
  return { ...required(made, 'an insert returns its row'), bankName, accountNumberLast4 }
}

/** `provider`: the payout provider; set only when the payout is submitted to it. */
type NewState = { state: WithdrawalState; processed: boolean; provider?: string }

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
  return { ...withdrawal, waitsFor: null, ...required(changed, 'the withdrawal is locked') }
}

export async function findUnsentSince(
  sql: Queries,
  { userId, since }: { userId: string; since: string },
): Promise<StoredWithdrawal[]> {
  const open = await sql<StoredWithdrawal[]>`
    ${withdrawalRows(userId)}
     where w.user_id = ${userId} and ${isOpen} and w.created_at >= ${since}::timestamptz
     order by w.id`
  return open.filter(isDisowned)
}

/** `holdReason`: null if withdrawals do not wait, or only by the delay that the owner chose. */
type OpenWithdrawal = StoredWithdrawal & {
  username: string
  holdReason: HoldReason | null
  reviewReasons: ReviewReason[]
  payoutProvider: Payouts['provider'] | null
}

export async function findOpenWithdrawals(sql: Queries): Promise<OpenWithdrawal[]> {
  return sql<OpenWithdrawal[]>`
    select ${withdrawalColumns()}, ${holdReason} as hold_reason, u.username, w.review_reasons,
           w.payout_provider
      from withdrawal_requests w join bank_accounts b on b.user_id = w.user_id
       and b.id = w.bank_account_id join users u on u.id = w.user_id
     where ${isOpen} order by w.created_at`
}

/** Counts different operators, without those who were disabled since. */
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
