import type { Duty } from '#core/operators/role.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/security/audit.ts'
import { endSessionsOf, setFrozen } from '#server/auth/frozen.ts'
import { readUserId } from '#server/auth/get-user.ts'
import type { BookWrite } from '#server/db/book.ts'
import { notify } from '#server/notices/notify.ts'
import { findNewestHold, releaseHolds } from '#server/withdrawal-holds.ts'
import { permit, type OperatorContext } from './operator.ts'
import { isSecondPerson } from './second-person.ts'

const MOST = 300

/**
 * Freezes a user, who can still sign in and read; bots continue, payouts wait. The user's message
 * does not contain the reason.
 */
export async function freezeUser(
  context: OperatorContext,
  { username, reason }: { username: string; reason: string },
): Promise<boolean> {
  const given = checkReason(reason)
  return actOn(
    context,
    { username, action: 'user.freeze', details: { reason: given } },
    async ({ sql }, userId) => {
      const isNew = await setFrozen(sql, { userId, reason: given })
      if (isNew)
        await notify(sql, {
          userId,
          kind: 'frozen-by-operator',
          event: `frozen:${context.newId()}`,
        })
      return isNew
    },
  )
}

/**
 * Ends holds early, for example once the user has proven their identity by other means; the delay
 * that the user chose stays. Threat: an operator is deceived, or their account is taken over. So
 * two different operators must request it after the newest hold began, and the user's message can
 * lock withdrawals again.
 */
export async function releaseUserHolds(
  context: OperatorContext,
  { username, reason }: { username: string; reason: string },
): Promise<Release> {
  const given = checkReason(reason)
  return actOn(
    context,
    { username, duty: 'release holds', action: 'user.release-holds', details: { reason: given } },
    async (tx, userId): Promise<Release> => {
      const newest = await findNewestHold(tx.sql, userId)
      if (newest === undefined) return 'none'
      if (
        !(await isSecondPerson(context, tx, {
          action: 'user.release-holds.first',
          subject: userId,
          after: newest,
        }))
      )
        return 'first'
      await releaseHolds(tx.sql, userId)
      await notify(tx.sql, {
        userId,
        kind: 'holds-released',
        event: `holds-released:${context.newId()}`,
      })
      return 'released'
    },
  )
}

/** first: a second operator must release the holds too. none: there is no hold. */
export type Release = 'released' | 'first' | 'none'

function checkReason(reason: string): string {
  const given = reason.trim()
  if (given === '' || given.length > MOST)
    throw new Refusal('invalid-input', {
      sentence: `Give a reason of up to ${MOST} characters: it is shown to operators alone.`,
    })
  return given
}

export async function unfreezeUser(context: OperatorContext, username: string): Promise<boolean> {
  return actOn(
    context,
    { username, action: 'user.unfreeze', details: {} },
    async ({ sql }, userId) => {
      const wasFrozen = await setFrozen(sql, { userId, reason: undefined })
      if (wasFrozen)
        await notify(sql, {
          userId,
          kind: 'unfrozen-by-operator',
          event: `unfrozen:${context.newId()}`,
        })
      return wasFrozen
    },
  )
}

/** Signs the user out everywhere. The user signs in again with the password. */
export async function endUserSessions(context: OperatorContext, username: string): Promise<number> {
  return actOn(
    context,
    { username, action: 'user.end-sessions', details: {} },
    async ({ sql }, userId) => {
      const ended = await endSessionsOf(sql, { userId })
      if (ended > 0)
        await notify(sql, {
          userId,
          kind: 'signed-out-by-operator',
          event: `signed-out:${context.newId()}`,
        })
      return ended
    },
  )
}

type Act = { username: string; duty?: Duty; action: string; details: Record<string, string> }

/** Makes one change of one user, and writes its audit event, in one transaction. */
async function actOn<Result extends boolean | number | Release>(
  context: OperatorContext,
  { username, duty = 'act on users', action, details }: Act,
  change: (tx: BookWrite, userId: string) => Promise<Result>,
): Promise<Result> {
  await permit(context, duty)
  const userId = await readUserId(context.sql, username)
  if (userId === undefined)
    throw new Refusal('not-found', { sentence: `There is no user ${username}.` })
  return context.atomically(async (tx) => {
    const result = await change(tx, userId)
    await auditCommand(
      context,
      {
        action: result === 'first' ? `${action}.first` : action,
        subject: userId,
        details: { ...details, result: String(result) },
      },
      tx,
    )
    return result
  })
}
