import { required } from '#core/assert.ts'
import { findBrokenAccounts } from '#server/account-seal.ts'
import type { Sql } from '#server/db/open.ts'

/** The users whose account has no seal that fits. Calls of the product leave none. */
export const brokenAccounts = (sql: Sql): Promise<string[]> =>
  findBrokenAccounts(sql, required(sql.seals, 'the book is open'))
