import type { Queries } from '#server/db/open.ts'
import { findUserId as findStoredUserId } from './store.ts'

/** The user of that name, `usernameKey` of the core having folded it. */
export const findUserId = (sql: Queries, usernameKey: string): Promise<string | undefined> => findStoredUserId(sql, usernameKey)
