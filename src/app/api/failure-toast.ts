import { msg, say } from '#words/words.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { ApiError, isSignedOut } from './call.ts'
import { failureOf, type ActionName } from './actions-table.ts'

/**
 * Shows the server's message if it refused for a reason, otherwise the action's. Shows nothing if
 * the session ended, which has a toast of its own, or if the user declined.
 */
export function showFailure(error: unknown, action: ActionName): void {
  const { title, description = msg('Please try again.') } = failureOf(action)
  showFailureAs(error, { title: say(title), description: say(description) })
}

export function showFailureAs(
  error: unknown,
  { title, description }: { title: string; description: string },
): void {
  if (isSignedOut(error) || error instanceof UserDeclined) return
  showToast({
    title,
    description: isForPeople(error) ? error.message : description,
    tone: 'destructive',
  })
}

/** Whether our server answered with a reason; an internal error gives none. */
export function isForPeople(error: unknown): error is ApiError {
  return error instanceof ApiError && error.isOurs && error.message !== '' && error.status !== 500
}

/** The user closed the sheet that requests a proof, so nothing was done and nothing is reported. */
export class UserDeclined extends Error {
  override readonly name = 'UserDeclined'
}
