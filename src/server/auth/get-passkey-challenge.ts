import type { Handler } from '#server/action.ts'
import { passkeySiteOf, PURPOSES, newChallenge } from './passkey.ts'

/** Does not depend on the account, so it does not reveal who has a passkey. */
export const getPasskeyChallenge: Handler<'getPasskeyChallenge'> = async (
  context,
  { userId, client },
) => {
  const { rpId } = passkeySiteOf(context, client)
  return {
    challenge: newChallenge(
      context,
      userId === undefined ? PURPOSES.signIn : PURPOSES.proof(userId),
    ),
    rpId,
  }
}
