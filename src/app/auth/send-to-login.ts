import { COMMON_PROBLEMS } from '#contract/common-problems.ts'
import { LOGIN_REDIRECT } from '#contract/routes.ts'
import { say } from '#words/words.ts'
import { showToast } from '#app/ui/overlays/toast.ts'

const REDIRECT_DELAY_MS = 500

let leaving = false

/**
 * Shows that the user is signed out, then opens the login; only once if several calls fail
 * together.
 */
export function sendToLogin(): void {
  if (leaving) return
  leaving = true
  const { title, message } = COMMON_PROBLEMS['not-signed-in']
  showToast({ title: say(title), description: say(message), tone: 'destructive' })
  setTimeout(() => location.assign(LOGIN_REDIRECT), REDIRECT_DELAY_MS)
}
