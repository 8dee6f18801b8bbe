import { plainRoutes } from '#contract/routes.ts'
import { showToast } from '#app/ui/overlays/toast.ts'

const REDIRECT_DELAY_MS = 500

let onTheWay = false

/** Says that nobody is signed in, then goes to the login. Several calls that fail together say it once. */
export function sendToLogin(): void {
  if (onTheWay) return
  onTheWay = true
  showToast({ title: 'Unauthorized', description: 'You are logged out. Logging in again...', tone: 'destructive' })
  setTimeout(() => location.assign(plainRoutes.loginRedirect), REDIRECT_DELAY_MS)
}
