import { ApiError } from '../api/call.ts'
import { showToast } from './toast.ts'

/** Says what went wrong: the server's own sentence where it said no for a reason, else the product's sentence for this action. */
export function showFailure(error: unknown, { title, description }: { title: string; description: string }): void {
  showToast({ title, description: isForPeople(error) ? error.message : description, tone: 'destructive' })
}

function isForPeople(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status !== 500
}
