import { showToast } from '#app/ui/overlays/toast.ts'
import { ApiError, isSignedOut } from './call.ts'

/**
 * Shows what went wrong: the server's own sentence if it refused for a reason, otherwise the given one. A session that ended has its own
 * toast, shown once for all calls, which this one would replace.
 */
export function showFailure(error: unknown, { title, description }: { title: string; description: string }): void {
  if (isSignedOut(error)) return
  showToast({ title, description: isForPeople(error) ? error.message : description, tone: 'destructive' })
}

function isForPeople(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status !== 500
}
