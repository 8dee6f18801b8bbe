import type { AddPasskeyRequest, PasskeyAssertion, PasskeyCreation } from '#contract/factors.ts'
import { PASSKEY_ALGORITHMS } from '#core/auth/passkey-algorithms.ts'
import { t } from '#words/words.ts'
import { call } from '#app/api/call.ts'
import { UserDeclined } from '#app/api/failure-toast.ts'

/** The browser's reason for failing with a passkey, as shown to users. */
export class PasskeyProblem extends Error {
  override readonly name = 'PasskeyProblem'
}

const library = () => import('@simplewebauthn/browser')

export function prepare(): void {
  void library()
}

/**
 * Lets the user choose a passkey of this site. With `autofill`, passkeys are among the names that
 * the browser suggests, until one is chosen.
 */
export async function askPasskey({ autofill = false } = {}): Promise<PasskeyAssertion> {
  const [{ challenge, rpId }, { startAuthentication }] = await Promise.all([
    call('getPasskeyChallenge', {}),
    library(),
  ])
  const optionsJSON = { challenge, rpId, userVerification: 'required' } as const
  const { id, response } = await fromBrowser(
    startAuthentication({ optionsJSON, useBrowserAutofill: autofill }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}

export async function makePasskey(options: PasskeyCreation): Promise<AddPasskeyRequest> {
  const { startRegistration } = await library()
  const { id, response } = await fromBrowser(
    startRegistration({
      optionsJSON: {
        ...options,
        pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
        attestation: 'none',
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
      },
    }),
  )
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports }
}

export async function canAutofill(): Promise<boolean> {
  return (await library()).browserSupportsWebAuthnAutofill()
}

/** Cancels a request that waits for autofill, for example because the screen is left. */
export async function stopAsking(): Promise<void> {
  ;(await library()).WebAuthnAbortService.cancelCeremony()
}

/**
 * Turns the browser's errors into ours. Browsers report a user who declined and a device without a
 * passkey alike.
 */
async function fromBrowser<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') throw new UserDeclined()
    if (name === 'InvalidStateError')
      throw new PasskeyProblem(t('This device already has a passkey of your account.'))
    throw new PasskeyProblem(t('This browser could not use a passkey here.'))
  }
}
