import { checkUsername, emailKey, refuseWeakPassword, usernameKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { openAccounts } from '#server/ledger/open-accounts.ts'
import { violates } from '#server/ledger/post.ts'
import { throttle } from '#server/throttle.ts'
import { readUser } from './get-user.ts'
import { hashPassword } from './password.ts'
import { insertUser } from './store.ts'

export const signup: Handler<'signup'> = async ({ sql, config, newId }, { body, client, session }) => {
  checkUsername(body.username)
  refuseWeakPassword(body.password, { username: body.username, minimum: config.PASSWORD_MINIMUM, field: 'password' })
  await throttle(sql, { key: `signup:${client.address}`, limit: config.SIGNUPS_PER_HOUR, windowSeconds: 3_600 })
  const id = newId()
  const password = await hashPassword(body.password)
  const username = body.username.normalize('NFKC')
  await refuseTaken(() =>
    atomically(sql, async (tx) => {
      const email = body.email ?? null
      const names = { firstName: body.firstName, lastName: body.lastName }
      await insertUser(tx, { id, username, usernameKey: usernameKey(username), email, emailKey: email && emailKey(email), password, ...names })
      await openAccounts(tx, id)
    }),
  )
  await session.start({ userId: id, provenBy: password })
  return readUser(sql, id)
}

async function refuseTaken(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (violates(error, 'usernames_pkey')) throw new Refusal('username-taken', { field: 'username' })
    if (violates(error, 'emails_pkey')) throw new Refusal('email-taken', { field: 'email' })
    throw error
  }
}
