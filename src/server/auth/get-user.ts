import { usernameKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import type { User } from '#contract/auth.ts'
import type { Handler } from '#server/action.ts'
import type { UserWithBalances } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { showBalances } from '#server/holdings/balances.ts'
import { findUser, findUserId } from './store.ts'

export const getUser: Handler<'getUser'> = async (_context, { session }) =>
  showUser(await session.user())

export async function readUser(sql: Queries, userId: string): Promise<User> {
  return showUser(await findUser(sql, userId))
}

export function readUserId(sql: Queries, username: string): Promise<string | undefined> {
  return findUserId(sql, usernameKey(username))
}

function showUser(found: UserWithBalances | undefined): User {
  if (!found) throw new Refusal('not-signed-in')
  const { cash, hold, invested, ...user } = found
  return {
    ...user,
    ...showBalances({ cash, hold, invested }),
    createdAt: user.createdAt.toISOString(),
  }
}
