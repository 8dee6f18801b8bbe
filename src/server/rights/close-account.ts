import { randomBytes } from 'node:crypto'
import { required } from '#core/assert.ts'
import { obstaclesOf } from '#core/auth/closing.ts'
import { Refusal } from '#core/refusal.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/security/audit.ts'
import { hashPassword } from '#server/auth/password.ts'
import type { Queries } from '#server/db/statement.ts'
import { endOpenPayments } from '#server/deposits/sweep-deposits.ts'
import { publish } from '#server/events/bus.ts'
import { lockCash } from '#server/ledger/read.ts'
import { notify } from '#server/notices/notify.ts'
import { removeAllBankAccounts } from '#server/withdrawals/erase-numbers.ts'
import { deletePersonalRows, eraseUser, findClosing, findLastAddress, lockUser } from './store.ts'

/**
 * Closes the account of a user without money and bots for good. Records of money and the audit
 * trail stay; data that identifies the user is erased, and a last message confirms it. The username
 * stays taken.
 */
export const closeAccount: Handler<'closeAccount'> = async (
  context,
  { userId, client, proof, session },
) => {
  const { newId } = context
  await endOpenPayments(context, userId)
  const unusable = await hashPassword(randomBytes(32).toString('base64'), client.address)
  await changeAccount(context, userId, async (tx) => {
    await lockCash(tx.sql, userId)
    await lockUser(tx.sql, userId)
    const closing = required(await findClosing(tx.sql, userId), 'a session has its user')
    if (obstaclesOf(closing).length > 0) throw new Refusal('account-not-empty')
    await proof.spend(tx)
    await erase(tx.sql, { userId, unusable })
    await writeAudit(tx, {
      id: newId(),
      actor: `user:${userId}`,
      action: 'account.close',
      subject: userId,
      details: {},
    })
    await publish(tx.sql, { name: 'sessions-ended', userIds: [userId] })
  })
  await session.end()
  return {}
}

async function erase(
  tx: Queries,
  { userId, unusable }: { userId: string; unusable: string },
): Promise<void> {
  const { username, email, isVerified } = required(
    await findLastAddress(tx, userId),
    'a session has its user',
  )
  await deletePersonalRows(tx, userId)
  await removeAllBankAccounts(tx, userId)
  await eraseUser(tx, { userId, unusable })
  if (email !== null && isVerified)
    await notify(tx, {
      userId,
      kind: 'account-closed',
      event: 'closed',
      details: { username },
      alsoTo: [email],
    })
}
