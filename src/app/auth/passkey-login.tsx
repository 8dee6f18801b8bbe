import { useEffect, useEffectEvent } from 'react'
import type { PasskeyAssertion } from '#contract/factors.ts'
import { t } from '#words/words.ts'
import { useEntry } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { UserDeclined } from '#app/api/user-declined.ts'
import { askPasskey, canAutofill, stopAsking } from '#app/passkeys/passkey.ts'
import { PasskeyButton, showPasskeyFailure } from '#app/passkeys/passkey-button.tsx'

/**
 * Signs in with a passkey alone: by the button, or where the browser suggests names for the field.
 */
export function PasskeyLogin({ onDone }: { onDone: () => void }) {
  const login = useEntry((passkey: PasskeyAssertion) =>
    call('loginWithPasskey', { body: { passkey } }),
  )
  const use = async (passkey: PasskeyAssertion) => {
    await login.mutateAsync(passkey)
    onDone()
  }
  useAutofill(use)
  return <PasskeyButton look="outline" label={t('Sign in with a passkey')} use={use} />
}

/**
 * Waits for a suggested passkey to be chosen. A press on the button takes over, and so does leaving
 * the screen.
 */
function useAutofill(use: (passkey: PasskeyAssertion) => Promise<void>): void {
  const chosen = useEffectEvent(use)
  useEffect(() => {
    let isHere = true
    const wait = async () => {
      if (!(await canAutofill()) || !isHere) return
      const passkey = await askPasskey({ autofill: true })
      await chosen(passkey).catch(
        (error: unknown) => isHere && !(error instanceof UserDeclined) && showPasskeyFailure(error),
      )
    }
    // Until one is chosen, the user has asked for nothing: a browser that cannot offer passkeys
    // offers none.
    wait().catch(
      (error: unknown) =>
        error instanceof UserDeclined || console.warn('No passkey can be suggested.', error),
    )
    return () => {
      isHere = false
      void stopAsking()
    }
  }, [])
}
