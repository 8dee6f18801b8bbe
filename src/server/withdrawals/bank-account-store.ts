import type { Queries } from '#server/db/statement.ts'

export type StoredBankAccount = {
  id: string
  bankName: string
  accountNumberLast4: string
  accountType: 'checking' | 'savings'
  isDefault: boolean
  createdAt: Date
  /**
   * End of the time in which the account is too new for a user who allows only older ones; null if
   * it is old enough.
   */
  notAllowedUntil: Date | null
}

export async function findBankAccounts(sql: Queries, userId: string): Promise<StoredBankAccount[]> {
  return sql<StoredBankAccount[]>`
    select id, bank_name, account_number_last4, account_type, is_default, created_at,
           case when allowed_from > now() then allowed_from end as not_allowed_until
      from bank_accounts
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
  /** Hours until this account can be used by a user who allows only accounts that are not new. */
  allowedAfterHours: number
}

export async function insertBankAccount(tx: Queries, account: NewBankAccount): Promise<void> {
  await tx`
    insert into bank_accounts (user_id, id, bank_name, account_number_sealed, account_number_last4,
           routing_number, account_type, is_default, allowed_from)
    values (${account.userId}, ${account.id}, ${account.bankName}, ${account.accountNumberSealed},
           ${account.accountNumberLast4},
            ${account.routingNumber}, ${account.accountType}, false,
            now() + ${account.allowedAfterHours}::integer * interval '1 hour')`
  if (account.isDefault) await setDefault(tx, account)
}

export async function setDefault(
  tx: Queries,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await tx`update bank_accounts set is_default = false where user_id = ${userId} and is_default`
  await tx`update bank_accounts set is_default = true where user_id = ${userId} and id = ${id}`
  await tx`insert into bank_account_defaults (user_id, bank_account_id) values (${userId}, ${id})`
}

export async function markBankAccountRemoved(
  tx: Queries,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await tx`update bank_accounts set is_default = false, removed_at = now() where user_id = ${userId}
    and id = ${id}`
}

type BankAccountChange = { bankName: string; accountNumberLast4: string; isAdded: boolean }

/** The accounts that `restoreBankAccounts` removes (`isAdded`) and brings back. */
export async function findBankAccountChanges(
  sql: Queries,
  { userId, since }: { userId: string; since: string },
): Promise<BankAccountChange[]> {
  return sql<BankAccountChange[]>`
    select bank_name, account_number_last4, created_at >= ${since}::timestamptz as is_added
      from bank_accounts
     where user_id = ${userId} and (removed_at is null) = (created_at >= ${since}::timestamptz)
       and (removed_at is null or removed_at >= ${since}::timestamptz) order by id`
}

/**
 * Removes accounts added since then, brings back those removed, and restores the default, else the
 * newest.
 */
export async function restoreBankAccounts(
  tx: Queries,
  { userId, since }: { userId: string; since: string },
): Promise<void> {
  await tx`update bank_accounts set removed_at = null where user_id = ${userId}
    and removed_at >= ${since}::timestamptz and created_at < ${since}::timestamptz`
  await tx`
    update bank_accounts set is_default = false, removed_at = now()
     where user_id = ${userId} and created_at >= ${since}::timestamptz and removed_at is null`
  const [former] = await tx<{ id: string; isDefault: boolean }[]>`
    select b.id, b.is_default from bank_accounts b
      left join bank_account_defaults d on d.user_id = b.user_id and d.bank_account_id = b.id
       and d.since < ${since}::timestamptz
     where b.user_id = ${userId} and b.removed_at is null order by d.since desc nulls last,
           b.id desc limit 1`
  if (former && !former.isDefault) await setDefault(tx, { userId, id: former.id })
}
