import { t } from '#words/words.ts'
import { showFailureAs } from '#app/api/failure-toast.ts'
import { PasskeyProblem } from '#app/passkeys/passkey.ts'
import { showToast } from '#app/ui/overlays/toast.ts'

/** After a change of how to sign in, which ends all other sessions. */
export function showChange(title: string): void {
  showToast({ title, description: t('All other devices were signed out.') })
}

/**
 * Shows why a change of factors failed: the browser's reason, the server's, or that it should be
 * tried again.
 */
export function showSecurityFailure(error: unknown, title: string): void {
  if (error instanceof PasskeyProblem)
    return showToast({ title, description: error.message, tone: 'destructive' })
  showFailureAs(error, { title, description: t('Please try again.') })
}
