import type { ProvenName } from '#contract/routes.ts'
import type { ResponseOf } from '#contract/schemas.ts'
import { ApiError, call, type CallRequest } from '#app/api/call.ts'
import { UserDeclined } from '#app/api/user-declined.ts'
import { methodsOf } from '#app/passkeys/methods-of.ts'
import { askForProof, type AskedProof } from './asked-proof.ts'

/**
 * Calls a route that needs a proof of who asks. The server says so once nothing else speaks against
 * the request; then the sheet opens, and the same request is sent again with the proof. `about`
 * says what the user confirms.
 */
export async function callWithProof<Name extends ProvenName>(
  name: Name,
  request: CallRequest<Name>,
  about: string,
): Promise<ResponseOf<Name>> {
  try {
    return await call(name, request)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof-required') throw error
    const proof = await askForProof({
      action: name,
      request: request as AskedProof['request'],
      methods: methodsOf(error),
      about,
    })
    if (proof === undefined) throw new UserDeclined()
    return call(name, { ...request, proof })
  }
}
