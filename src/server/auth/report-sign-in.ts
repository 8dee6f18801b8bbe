import type { Call } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { notify } from '#server/notices/notify.ts'
import type { Proof } from './known-device.ts'

/**
 * Sends a notice of a sign-in with a browser that never signed in before. Called before the session
 * starts: a sign-in without a notice must not exist, while a notice without a sign-in does no harm.
 */
export async function reportSignIn(
  { sql, newId }: Context,
  { session, client }: Pick<Call<'login'>, 'session' | 'client'>,
  proof: Proof,
): Promise<void> {
  if (session.knownDevice(proof) !== undefined) return
  await notify(sql, {
    userId: proof.userId,
    kind: 'sign-in',
    event: `sign-in:${newId()}`,
    details: { device: client.browser },
  })
}
