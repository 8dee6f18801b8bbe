import { showToast } from '#app/ui/overlays/toast.ts'
import { ApiError, isSignedOut } from './call.ts'

/**
 * Says what went wrong: the server's own sentence where it said no for a reason, else the product's sentence for this action.
 * That nobody is signed in is said already, once for all calls, and this would take its place.
 */
export function showFailure(error: unknown, { title, description }: { title: string; description: string }): void {
  if (isSignedOut(error)) return
  showToast({ title, description: isForPeople(error) ? error.message : description, tone: 'destructive' })
}

function isForPeople(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status !== 500
}
