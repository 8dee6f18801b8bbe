import { t } from '#words/words.ts'
import { useAction, type Body } from '#app/api/actions.ts'
import { ApiError, call } from '#app/api/call.ts'
import { showFailureAs } from '#app/api/failure-toast.ts'
import { useVisited } from '#app/api/use-visited.ts'
import { makePasskey, PasskeyProblem } from '#app/passkeys/passkey.ts'
import { callWithProof } from '#app/proofs/asked-proof.ts'
import { showToast } from '#app/ui/overlays/toast.ts'

/** Refetched on every visit, because no event reports a change on another device. */
export function useFactors() {
  return useVisited(['getFactors'], {})
}

/**
 * Adds a passkey. One press opens the browser's prompt, unless the server first demands a proof.
 */
export function useAddPasskey() {
  return useAction('addPasskey', async () => {
    const options = await callWithProof('startPasskey', {}, t('A new passkey'))
    return call('addPasskey', { body: await makePasskey(options) })
  })
}

export function useRenamePasskey() {
  return useAction('renamePasskey', ({ id, name }: { id: string; name: string }) =>
    call('renamePasskey', { params: { id }, body: { name } }),
  )
}

export function useRemovePasskey() {
  return useAction('removePasskey', ({ id, name }: { id: string; name: string }) =>
    callWithProof('removePasskey', { params: { id } }, t('Remove the passkey {name}', { name })),
  )
}

export function useStartAuthenticator() {
  return useAction('startAuthenticator', () =>
    callWithProof('startAuthenticator', {}, t('A new authenticator app')),
  )
}

export function useAddAuthenticator() {
  return useAction('addAuthenticator', (body: Body<'addAuthenticator'>) =>
    call('addAuthenticator', { body }),
  )
}

export function useRemoveAuthenticator() {
  return useAction('removeAuthenticator', () =>
    callWithProof('removeAuthenticator', {}, t('Remove the authenticator app')),
  )
}

export function useProtections() {
  return useVisited(['getProtections'], {})
}

export function useUpdateProtections() {
  return useAction('updateProtections', (body: Body<'updateProtections'>) =>
    callWithProof('updateProtections', { body }, t('Other protections of withdrawals')),
  )
}

export function useKeys() {
  return useVisited(['listKeys'], {})
}

export function useMakeKey() {
  return useAction('makeKey', (body: Body<'makeKey'>) =>
    callWithProof('makeKey', { body }, t('A new key for a program')),
  )
}

/** A key that has expired, or was revoked elsewhere, counts as revoked. */
export function useRevokeKey() {
  return useAction('revokeKey', (id: string) =>
    call('revokeKey', { params: { id } }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'not-found') throw error
    }),
  )
}

export function useRenewRecoveryCodes() {
  return useAction('renewRecoveryCodes', () =>
    callWithProof('renewRecoveryCodes', {}, t('New recovery codes')),
  )
}

export function showChange(title: string): void {
  showToast({ title, description: t('All other devices were signed out.') })
}

/**
 * Shows why a change of factors failed: the browser's reason, the server's reason, or a request to
 * try again.
 */
export function showSecurityFailure(error: unknown, title: string): void {
  if (error instanceof PasskeyProblem)
    return showToast({ title, description: error.message, tone: 'destructive' })
  showFailureAs(error, { title, description: t('Please try again.') })
}
