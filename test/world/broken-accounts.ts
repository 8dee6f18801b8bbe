import { findBrokenAccounts } from '#server/security/account-seal.ts'
import type { Book } from '#server/db/book.ts'

/** The users whose account has a broken seal. After calls of the product there must be none. */
export const brokenAccounts = ({ sql, seals }: Book): Promise<string[]> =>
  findBrokenAccounts(sql, seals)
