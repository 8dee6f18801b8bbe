import { msg, say, t } from '#words/words.ts'
import { ApiError, isSignedOut } from './call.ts'
import { UserDeclined } from './user-declined.ts'
import { isForPeople } from './failure-toast.ts'
import { FAILURES, type ActionName } from './failures.ts'

/** Below a form: what is known besides the toast, if its action failed without a reason of ours. It stays until the next attempt. */
export function FailureNote({ error, action }: { error: unknown; action: ActionName }) {
  return (
    <div role="status" className="empty:hidden">
      {noteFor(error, action)}
    </div>
  )
}

function noteFor(error: unknown, action: ActionName) {
  if (!error || error instanceof UserDeclined || isForPeople(error) || isSignedOut(error)) return null
  const { besides = msg('Please try again.') } = FAILURES[action]
  return (
    <p className="text-14 text-ink2">
      {isAnswered(error) ? t('Something went wrong on our side.') : t("We couldn't reach the server.")} {say(besides)}
    </p>
  )
}

function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && error.status !== 0
}
