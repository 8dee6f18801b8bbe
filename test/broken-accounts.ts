import { findBrokenAccounts } from '#server/security/account-seal.ts'
import type { Book } from '#server/db/book.ts'

/** The users whose account has no seal that fits. Calls of the product leave none. */
export const brokenAccounts = ({ sql, seals }: Book): Promise<string[]> =>
  findBrokenAccounts(sql, seals)
