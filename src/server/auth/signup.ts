import { checkUsername, usernameKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { language } from '#words/language.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { openAccounts } from '#server/ledger/post.ts'
import { violates } from '#server/db/connection.ts'
import { throttle } from '#server/security/throttle.ts'
import { askToVerify } from './send-verification.ts'
import { readUser } from './get-user.ts'
import { hashPassword } from './password.ts'
import { checkNewPassword } from './password-lists.ts'
import { insertUser } from './store.ts'

export const signup: Handler<'signup'> = async (
  { sql, atomically, config, newId },
  { body, client, session },
) => {
  checkUsername(body.username)
  checkNewPassword(config, body.password, { username: body.username, field: 'password' })
  await throttle(sql, {
    key: `signup:${client.address}`,
    limit: config.SIGNUPS_PER_HOUR,
    windowSeconds: 3_600,
  })
  const id = newId()
  const password = await hashPassword(body.password, client.address)
  const username = body.username.normalize('NFKC')
  await refuseTaken(() =>
    atomically(async (tx) => {
      const email = body.email ?? null
      const names = { firstName: body.firstName, lastName: body.lastName }
      await insertUser(tx.sql, {
        id,
        username,
        usernameKey: usernameKey(username),
        email,
        password,
        language: language(),
        ...names,
      })
      await openAccounts(tx.sql, id)
      // If another account has the address, only its owner is notified, by mail.
      if (email !== null) await askToVerify(tx.sql, { userId: id, email })
      await sealAccount(tx, id)
      await auditUser({ newId }, tx, { userId: id, action: 'user.sign-up' })
    }),
  )
  await session.start({ userId: id, provenBy: password })
  return readUser(sql, id)
}

async function refuseTaken(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (violates(error, 'usernames_pkey'))
      throw new Refusal('username-taken', { field: 'username' })
    throw error
  }
}
