import type { Queries } from '#server/db/statement.ts'
import { unseal } from '#server/withdrawals/sealed.ts'

/** Whether `secret` decrypts the bank accounts of this book, tried on the newest. True if there is none. */
export async function secretFits(sql: Queries, secret: string): Promise<boolean> {
  const [account] = await sql<{ userId: string; sealed: string }[]>`
    select user_id, account_number_sealed as sealed from bank_accounts order by id desc limit 1`
  if (account === undefined) return true
  try {
    unseal({ ...account, secret })
    return true
  } catch {
    // Another secret made the seal: the cipher only says that it does not fit.
    return false
  }
}
