import { required } from '#core/assert.ts'
import { checkCount } from '#core/count-limits.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { handleOf, passkeySiteOf, PURPOSES, newChallenge } from './passkey.ts'
import { findPasskeys } from './factor-store.ts'
import { findUser } from './store.ts'

export const startPasskey: Handler<'startPasskey'> = async (
  context,
  { userId, session, client, proof },
) => {
  const { sql, atomically } = context
  const { rpId } = passkeySiteOf(context, client)
  const user = required(await findUser(sql, userId), 'a session has its user')
  const sessionId = await session.id()
  if (sessionId === undefined) throw new Refusal('not-signed-in')
  const passkeys = await findPasskeys(sql, userId)
  checkCount('too-many-passkeys', passkeys.length)
  await atomically((tx) => proof.spend(tx))
  return {
    challenge: newChallenge(context, PURPOSES.creation({ userId, sessionId })),
    rp: { id: rpId, name: 'Trading Bot' },
    user: {
      id: handleOf(userId),
      name: user.username,
      displayName: `${user.firstName} ${user.lastName}`,
    },
    excludeCredentials: passkeys.map(({ credentialId }) => ({
      id: credentialId,
      type: 'public-key' as const,
    })),
  }
}
