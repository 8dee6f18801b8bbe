import { hash } from 'node:crypto'
import { usernameKey } from '#core/auth/credentials.ts'
import type { Handler } from '#server/action.ts'
import type { Book } from '#server/db/book.ts'
import { throttle } from '#server/security/throttle.ts'
import {
  insertResetRequest,
  findUserOfEmail,
  findVerified,
  takeResetRequests,
} from './email-store.ts'
import type { Context } from '#server/context.ts'
import { writeMail } from '#server/notices/notify.ts'
import { leaveLocked } from '#server/ledger/guard-seals.ts'
import { findUserId } from './store.ts'

const HOUR_SECONDS = 3_600

/**
 * Threat: enumeration. Answer and work are the same for every text, because a job looks it up
 * afterwards.
 */
export const requestReset: Handler<'requestReset'> = async (
  { sql, newId },
  { body: { account }, client },
) => {
  const asked = usernameKey(account.trim())
  await throttle(
    sql,
    { key: `reset:account:${hash('sha256', asked)}`, limit: 5, windowSeconds: HOUR_SECONDS },
    { key: `reset:address:${client.address}`, limit: 30, windowSeconds: HOUR_SECONDS },
  )
  await insertResetRequest(sql, { id: newId(), asked })
  return {}
}

/** Sends a message for each request whose text belongs to an account with a verified address. */
export async function prepareResets(context: Context): Promise<void> {
  await context.atomically(async (tx) => {
    for (const { asked } of await takeResetRequests(tx.sql))
      await prepareReset(tx, asked).catch((error: unknown) => leaveLocked(context, error))
  })
}

/** Tells addresses from usernames by the @, which usernames never contain. */
async function prepareReset(tx: Book, asked: string): Promise<void> {
  const userId = asked.includes('@')
    ? await findUserOfEmail(tx.sql, asked)
    : await findUserId(tx.sql, asked)
  const address = userId === undefined ? undefined : await findVerified(tx, userId)
  if (userId !== undefined && address !== undefined)
    await writeMail(tx.sql, { userId, kind: 'reset-password', address })
}
