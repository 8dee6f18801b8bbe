import type { Queries } from '#server/db/statement.ts'

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
    insert into bank_accounts (user_id, id, bank_name, account_number_sealed, account_number_last4, routing_number, account_type, is_default)
    values (${account.userId}, ${account.id}, ${account.bankName}, ${account.accountNumberSealed}, ${account.accountNumberLast4},
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
