import type { Queries } from '#server/db/statement.ts'
import { unseal } from '#server/sealed.ts'

/**
 * Whether `secret` decrypts what is sealed in this book, tried on the newest bank account and
 * authenticator. True if there is none.
 */
export async function secretFits(sql: Queries, secret: string): Promise<boolean> {
  const accounts = await sql<Sealed[]>`
    select user_id, account_number_sealed as sealed from bank_accounts
     where account_number_sealed <> '' order by id desc limit 1`
  const authenticators = await sql<Sealed[]>`
    select user_id, secret_sealed as sealed from authenticators order by started_at desc limit 1`
  return (
    accounts.every((account) => opens({ ...account, secret })) &&
    authenticators.every((one) => opens({ ...one, secret, purpose: 'authenticators' }))
  )
}

type Sealed = { userId: string; sealed: string }

function opens(sealed: Parameters<typeof unseal>[0]): boolean {
  try {
    unseal(sealed)
    return true
  } catch {
    // Another secret made the seal: the cipher only says that it does not fit.
    return false
  }
}
