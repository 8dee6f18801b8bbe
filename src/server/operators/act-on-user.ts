import type { Duty } from '#core/operators/role.ts'
import { Refusal } from '#core/refusal.ts'
import { operatorOf, writeAudit } from '#server/audit.ts'
import { endSessionsOf, setFrozen } from '#server/auth/frozen.ts'
import { readUserId } from '#server/auth/get-user.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { notify } from '#server/notices/notify.ts'
import { releaseHolds } from '#server/withdrawal-holds.ts'
import { permit, type OperatorContext } from './operator.ts'

const MOST_LETTERS = 300

/** The user can sign in and see everything, but change nothing; payouts wait. Bots keep their positions and go on by their rules. */
export async function freezeUser(context: OperatorContext, { username, reason }: { username: string; reason: string }): Promise<boolean> {
  const given = checkReason(reason)
  return actOn(context, { username, action: 'user.freeze', details: { reason: given } }, (tx, userId) => setFrozen(tx, { userId, reason: given }))
}

/**
 * Lets the user's withdrawals be sent before their holds end, for instance once the user has shown by other means who asks. The delay that the
 * user chose stays. Returns how many holds lasted. Threat: an operator who was talked into it; so the user gets a message, from which "This was
 * not me" locks withdrawals again.
 */
export async function releaseUserHolds(context: OperatorContext, { username, reason }: { username: string; reason: string }): Promise<number> {
  const given = checkReason(reason)
  return actOn(context, { username, duty: 'release holds', action: 'user.release-holds', details: { reason: given } }, async (tx, userId) => {
    const released = await releaseHolds(tx, userId)
    if (released > 0) await notify(tx, { userId, kind: 'holds-released', event: `holds-released:${context.newId()}` })
    return released
  })
}

function checkReason(reason: string): string {
  const given = reason.trim()
  if (given === '' || given.length > MOST_LETTERS) throw new Refusal('invalid-input', { sentence: `Give a reason of up to ${MOST_LETTERS} characters: it is shown to operators alone.` })
  return given
}

export async function unfreezeUser(context: OperatorContext, username: string): Promise<boolean> {
  return actOn(context, { username, action: 'user.unfreeze', details: {} }, (tx, userId) => setFrozen(tx, { userId, reason: undefined }))
}

/** Signs the user out everywhere. The user signs in again with the password. */
export async function endUserSessions(context: OperatorContext, username: string): Promise<number> {
  return actOn(context, { username, action: 'user.end-sessions', details: {} }, endSessionsOf)
}

type Act = { username: string; duty?: Duty; action: string; details: Record<string, string> }

/** One change of one user, with its audit event, in one transaction. */
async function actOn<Result>(context: OperatorContext, { username, duty = 'act on users', action, details }: Act, change: (tx: Queries, userId: string) => Promise<Result>): Promise<Result> {
  await permit(context, duty)
  const userId = await readUserId(context.sql, username)
  if (userId === undefined) throw new Refusal('not-found', { sentence: `There is no user ${username}.` })
  return atomically(context.sql, async (tx) => {
    const result = await change(tx, userId)
    await writeAudit(tx, { id: context.newId(), actor: operatorOf(context), action, subject: userId, details: { ...details, result: String(result) } })
    return result
  })
}
