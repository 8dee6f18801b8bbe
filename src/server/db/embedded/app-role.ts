import { createHmac } from 'node:crypto'
import pg from 'pg'
import { openSession } from '../session.ts'
import { urlOf, type Access } from './access.ts'

/**
 * The role that the app uses in an embedded database; `postgres`, the superuser, owns the tables.
 */
export const APP_ROLE = 'trading_bot_app'

/** Derived from the superuser's password, without revealing it. */
function passwordOf({ password }: Access): string {
  return createHmac('sha256', password).update(APP_ROLE).digest('hex')
}

export function appUrlOf(access: Access): string {
  const url = new URL(urlOf(access))
  url.username = APP_ROLE
  url.password = passwordOf(access)
  return url.href
}

export async function makeAppRole(access: Access): Promise<void> {
  const { sql, end } = openSession({ url: urlOf(access) }, 'trading-bot owner')
  try {
    const roles = await sql`select from pg_roles where rolname = ${APP_ROLE}`
    if (roles.length > 0) return
    await sql.unsafe(
      `create role ${APP_ROLE} login password ${pg.escapeLiteral(passwordOf(access))}`,
    )
  } finally {
    await end()
  }
}
