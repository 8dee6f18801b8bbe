import { say } from '#words/words.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { ApiError, isSignedOut } from './call.ts'
import { FAILURES, type ActionName } from './failures.ts'

/**
 * Shows what went wrong: the server's own sentence if it refused for a reason, otherwise the action's. A session that ended has its own
 * toast, shown once for all calls, which this one would replace.
 */
export function showFailure(error: unknown, action: ActionName): void {
  if (isSignedOut(error)) return
  const { title, description } = FAILURES[action]
  showToast({ title: say(title), description: isForPeople(error) ? error.message : say(description), tone: 'destructive' })
}

/** True for an answer of our server that gives a reason; an internal error gives none. */
export function isForPeople(error: unknown): error is ApiError {
  return error instanceof ApiError && error.isOurs && error.message !== '' && error.status !== 500
}
