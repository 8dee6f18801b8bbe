import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { writeMail } from '#server/notices/write-mail.ts'
import { leaveLocked } from '#server/ledger/guard-seals.ts'
import { findUserOfEmail, findVerified, takeResetRequests } from './email-store.ts'
import { findUserId } from './store.ts'

/**
 * Writes a message with a link for each request that names an account with a verified address, and
 * nothing for the others.
 */
export async function prepareResets(context: Context): Promise<void> {
  await atomically(context.sql, async (tx) => {
    for (const { asked } of await takeResetRequests(tx))
      await prepareReset(tx, asked).catch((error: unknown) => leaveLocked(context, error))
  })
}

/** A username has no @, and an address has one. */
async function prepareReset(tx: Queries, asked: string): Promise<void> {
  const userId = asked.includes('@')
    ? await findUserOfEmail(tx, asked)
    : await findUserId(tx, asked)
  const address = userId === undefined ? undefined : await findVerified(tx, userId)
  if (userId !== undefined && address !== undefined)
    await writeMail(tx, { userId, kind: 'reset-password', address })
}
