import { msg, say, t } from '#words/words.ts'
import { ApiError, isSignedOut, LATE } from './call.ts'
import { isForPeople, UserDeclined } from './failure-toast.ts'
import { failureOf, type ActionName } from './actions-table.ts'

/**
 * Facts that complete the toast if an action failed without a reason of ours. Shown until the next
 * attempt.
 */
export function FailureNote({ error, action }: { error: unknown; action: ActionName }) {
  return (
    <div role="status" className="empty:hidden">
      {noteFor(error, action)}
    </div>
  )
}

function noteFor(error: unknown, action: ActionName) {
  if (!error || error instanceof UserDeclined || isForPeople(error) || isSignedOut(error))
    return null
  const { besides = msg('Please try again.') } = failureOf(action)
  return (
    <p className="text-14 text-ink2">
      {whereFailed(error)} {say(besides)}
    </p>
  )
}

function whereFailed(error: unknown): string {
  const { status, isLate } = error instanceof ApiError ? error : { status: 0, isLate: false }
  if (isLate) return say(LATE)
  return status === 0 ? t("We couldn't reach the server.") : t('Something went wrong on our side.')
}
