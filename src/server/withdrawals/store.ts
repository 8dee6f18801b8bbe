import type { WithdrawalState } from '#core/withdrawals/withdrawal.ts'
import type { Units } from '#core/money/amount.ts'
import type { Queries } from '#server/db/open.ts'

export type StoredBankAccount = {
  id: string
  bankName: string
  accountNumberLast4: string
  accountType: 'checking' | 'savings'
  isDefault: boolean
  createdAt: Date
}

/** The default first, then the newest. */
export async function findBankAccounts(sql: Queries, userId: string): Promise<StoredBankAccount[]> {
  return sql<StoredBankAccount[]>`
    select id, bank_name, account_number_last4, account_type, is_default, created_at from bank_accounts
     where user_id = ${userId} and removed_at is null order by is_default desc, id desc`
}

export type NewBankAccount = {
  id: string
  userId: string
  bankName: string
  accountNumberSealed: string
  accountNumberLast4: string
  routingNumber: string
  accountType: string
  isDefault: boolean
}

export async function insertBankAccount(tx: Queries, account: NewBankAccount): Promise<void> {
  await tx`
    insert into bank_accounts (id, user_id, bank_name, account_number_sealed, account_number_last4, routing_number, account_type, is_default)
    values (${account.id}, ${account.userId}, ${account.bankName}, ${account.accountNumberSealed}, ${account.accountNumberLast4},
            ${account.routingNumber}, ${account.accountType}, ${account.isDefault})`
}

export async function clearDefault(tx: Queries, userId: string): Promise<void> {
  await tx`update bank_accounts set is_default = false where user_id = ${userId} and is_default`
}

export async function setDefault(tx: Queries, { userId, id }: { userId: string; id: string }): Promise<void> {
  await tx`update bank_accounts set is_default = true where user_id = ${userId} and id = ${id}`
}

export async function markBankAccountRemoved(tx: Queries, { userId, id }: { userId: string; id: string }): Promise<void> {
  await tx`update bank_accounts set is_default = false, removed_at = now() where user_id = ${userId} and id = ${id}`
}

export async function hasOpenWithdrawal(tx: Queries, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const rows = await tx`
    select from withdrawal_requests where user_id = ${userId} and bank_account_id = ${id}
       and state in ('pending', 'in_review', 'approved', 'submitted') limit 1`
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
}

const withdrawalRows = (sql: Queries) => sql`
  select w.id, w.user_id, w.amount, w.state, w.bank_account_id, b.bank_name, b.account_number_last4, w.created_at, w.updated_at, w.processed_at
    from withdrawal_requests w join bank_accounts b on b.user_id = w.user_id and b.id = w.bank_account_id`

/** The newest 50. */
export async function findWithdrawals(sql: Queries, userId: string): Promise<StoredWithdrawal[]> {
  return sql<StoredWithdrawal[]>`${withdrawalRows(sql)} where w.user_id = ${userId} order by w.id desc limit 50`
}

export async function lockWithdrawal(tx: Queries, id: string): Promise<StoredWithdrawal | undefined> {
  const [row] = await tx<StoredWithdrawal[]>`${withdrawalRows(tx)} where w.id = ${id} for no key update of w`
  return row
}

export async function insertWithdrawal(
  tx: Queries,
  { id, userId, bankAccountId, amount }: { id: string; userId: string; bankAccountId: string; amount: Units },
): Promise<void> {
  await tx`
    insert into withdrawal_requests (id, user_id, bank_account_id, amount, state)
    values (${id}, ${userId}, ${bankAccountId}, ${amount}, 'pending')`
}

export async function setWithdrawalState(tx: Queries, { id, state, processed }: { id: string; state: WithdrawalState; processed: boolean }): Promise<void> {
  await tx`
    update withdrawal_requests
       set state = ${state}, updated_at = clock_timestamp(), processed_at = case when ${processed} then clock_timestamp() else processed_at end
     where id = ${id}`
}

/** Open withdrawals that stood in `state` for at least `forMs`, oldest first. What is not on its way yet waits while its owner owes something. */
export async function findWithdrawalsIn(
  sql: Queries,
  { state, forMs }: { state: WithdrawalState; forMs: number },
): Promise<{ id: string; updatedAt: Date }[]> {
  return sql<{ id: string; updatedAt: Date }[]>`
    select id, updated_at from withdrawal_requests
     where state = ${state} and updated_at <= now() - ${forMs} * interval '1 millisecond'
       and (state = 'submitted' or user_id not in (select owner from ledger_accounts where code = 'customer:receivable' and balance < 0))
     order by updated_at limit 500`
}

/** All withdrawals in open states, for operators. */
export async function findOpenWithdrawals(sql: Queries): Promise<(StoredWithdrawal & { username: string })[]> {
  return sql<(StoredWithdrawal & { username: string })[]>`
    select w.id, w.user_id, u.username, w.amount, w.state, w.bank_account_id, b.bank_name, b.account_number_last4,
           w.created_at, w.updated_at, w.processed_at
      from withdrawal_requests w join bank_accounts b on b.user_id = w.user_id and b.id = w.bank_account_id join users u on u.id = w.user_id
     where w.state in ('pending', 'in_review', 'approved', 'submitted') order by w.created_at`
}
