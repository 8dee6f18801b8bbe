import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import type { HoldReason } from '#core/withdrawals/hold-reason.ts'
import { momentText } from '#core/withdrawals/withdrawal.ts'
import type { Book } from '#server/db/book.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { auditUser } from './security/audit.ts'
import type { Context } from './context.ts'
import { publish } from './events/bus.ts'

/**
 * Makes the user's withdrawals wait, for instance after a new password. They can be requested and
 * canceled meanwhile, but not sent. Threat: a thief with the password adds a bank account of his
 * own; so the owner has WITHDRAWAL_HOLD_HOURS to stop what was requested. Holds add up: the longest
 * counts, and none shortens another. Returns until when they wait, as a detail of the event's
 * notice. Threat: somebody with the password of the app's role for the database deletes the row. So
 * a sealed audit event names the hold too.
 */
export async function holdWithdrawals(
  { config, newId }: Pick<Context, 'config' | 'newId'>,
  tx: Book,
  { userId, reason }: { userId: string; reason: HoldReason },
): Promise<{ sentFrom?: string }> {
  const [hold] = await tx.sql<{ until: Date }[]>`
    insert into withdrawal_holds (user_id, id, reason, until)
    values (${userId}, ${newId()}, ${reason}, now() + ${config.WITHDRAWAL_HOLD_HOURS}::integer *
           interval '1 hour') returning until`
  const details = { reason, until: required(hold, 'a hold was written').until.toISOString() }
  await auditUser({ newId }, tx, { userId, action: 'withdrawals.hold', details })
  await publishHolds(tx.sql, userId)
  const until = (await findHold(tx.sql, userId))?.until
  return until ? { sentFrom: momentText(until) } : {}
}

/** Screens of all the user's devices show when withdrawals are sent. */
const publishHolds = (tx: Queries, userId: string) =>
  publish(tx, { name: 'withdrawals', userIds: [userId] })

/** Locks the user's withdrawals until `unlockWithdrawals`: none can be requested or sent. */
export async function lockWithdrawals(
  { newId }: Pick<Context, 'newId'>,
  tx: Queries,
  userId: string,
): Promise<void> {
  await tx`insert into withdrawal_holds (user_id, id, reason)
    values (${userId}, ${newId()}, 'disowned')`
  await publishHolds(tx, userId)
}

export async function unlockWithdrawals(tx: Queries, userId: string): Promise<void> {
  await tx`update withdrawal_holds set lifted_at = now() where user_id = ${userId} and until is null
    and lifted_at is null`
  await publishHolds(tx, userId)
}

/** Ends every hold and lock of the user, but not the delay that the user chose. */
export async function releaseHolds(tx: Queries, userId: string): Promise<void> {
  await tx`update withdrawal_holds set lifted_at = now() where user_id = ${userId}
    and lifted_at is null and (until is null or until > now())`
  await publishHolds(tx, userId)
}

/** When the newest hold or lock that lasts began; undefined if none lasts. */
export async function findNewestHold(tx: Queries, userId: string): Promise<Date | undefined> {
  const [row] = await tx<{ at: Date | null }[]>`
    select max(created_at) as at from withdrawal_holds where user_id = ${userId}
       and lifted_at is null and (until is null or until > now())`
  return row?.at ?? undefined
}

/** Holds of a user that last. By the database's clock, which nobody's request sets. */
const lasting = (user: Fragment) =>
  part`from withdrawal_holds h where h.user_id = ${user} and h.lifted_at is null
    and (h.until is null or h.until > now())`

/**
 * A condition for statements in which `w` is a withdrawal: withdrawals of its owner wait, or this
 * one by the delay that its owner chose.
 */
export const isOnHold = part`
  (w.send_after > now() is true or exists (select 1 ${lasting(part`w.user_id`)}))`

/**
 * A column for such statements: until when `w` of this user waits. Null if it does not, or until
 * withdrawals are unlocked.
 */
export const heldUntil = (user: Fragment) =>
  part`greatest(case when w.send_after > now() then w.send_after end,
    (select max(h.until) ${lasting(user)}))`

/**
 * A column for such statements: why `w` waits, by the longest hold of its owner. Null if none
 * lasts.
 */
export const holdReason = part`
  (select h.reason ${lasting(part`w.user_id`)}
    order by h.until desc nulls first, h.id limit 1)`

/**
 * A column for statements in which `w` is a withdrawal of this user: until when it is not sent.
 * Null if it does not wait, or was sent.
 */
export const sendsAfter = (user: Fragment) =>
  part`case when w.state in ('pending', 'in_review', 'approved') then ${heldUntil(user)} end
    as sends_after`

/** Why withdrawals wait, and until when: null until they are unlocked. */
export type LastingHold = { reason: HoldReason; until: Date | null }

/** The longest hold of the user; undefined if withdrawals need not wait. */
export async function findHold(sql: Queries, userId: string): Promise<LastingHold | undefined> {
  const [row] = await sql<LastingHold[]>`
    select h.reason, h.until ${lasting(part`${userId}`)}
     order by h.until desc nulls first, h.id limit 1`
  return row
}

/** Refuses to request a withdrawal while withdrawals are locked. */
export function refuseLocked(hold: LastingHold | undefined): void {
  if (hold?.until === null) throw new Refusal('withdrawals-locked')
}

/**
 * Refuses to send a withdrawal that waits until `ownUntil`, or while withdrawals wait. `hold` is
 * read after all locks, so that no hold is missed.
 */
export function refuseOnHold(hold: LastingHold | undefined, ownUntil: Date | null): void {
  refuseLocked(hold)
  const until = hold?.until ?? ownUntil
  if (until) throw new Refusal('withdrawals-waiting', { values: { until: momentText(until) } })
}
