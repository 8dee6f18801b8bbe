import type { Queries } from '#server/db/open.ts'
import { findCredentials } from './store.ts'

/** The user of that name, `usernameKey` of the core having folded it. */
export async function findUserId(sql: Queries, usernameKey: string): Promise<string | undefined> {
  return (await findCredentials(sql, usernameKey))?.id
}
