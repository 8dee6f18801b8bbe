import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import type { HoldReason } from '#core/withdrawals/hold-reason.ts'
import { utcMinuteText } from '#core/utc-text.ts'
import type { Book } from '#server/db/book.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { auditUser } from './security/audit.ts'
import type { Context } from './context.ts'
import { publish } from './events/bus.ts'

/**
 * Makes the user's withdrawals wait, for instance after a new password. They can be requested and
 * canceled, but not sent. Returns the end of the longest hold, for the event's notice. Threat: a
 * thief with the password adds his own bank account; the owner has WITHDRAWAL_HOLD_HOURS to stop
 * withdrawals. Threat: somebody with the app's database password deletes the row, so a sealed audit
 * event records the hold too.
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
  return until ? { sentFrom: utcMinuteText(until) } : {}
}

/** Makes the user's devices show the new time at which withdrawals are sent. */
const publishHolds = (tx: Queries, userId: string) =>
  publish(tx, { name: 'withdrawals', userIds: [userId] })

/** Locks withdrawals: until `unlockWithdrawals`, none can be requested or sent. */
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

/** Ends every hold and lock, but not the delay that the user chose. */
export async function releaseHolds(tx: Queries, userId: string): Promise<void> {
  await tx`update withdrawal_holds set lifted_at = now() where user_id = ${userId}
    and lifted_at is null and (until is null or until > now())`
  await publishHolds(tx, userId)
}

/** Start of the newest hold or lock that lasts. */
export async function findNewestHold(tx: Queries, userId: string): Promise<Date | undefined> {
  const [row] = await tx<{ at: Date | null }[]>`
    select max(created_at) as at from withdrawal_holds where user_id = ${userId}
       and lifted_at is null and (until is null or until > now())`
  return row?.at ?? undefined
}

/** Holds that still last, by the database's clock. */
const lasting = (user: Fragment) =>
  part`from withdrawal_holds h where h.user_id = ${user} and h.lifted_at is null
    and (h.until is null or h.until > now())`

/**
 * Condition on a withdrawal `w`: its owner has a hold, or `w` is within the delay that the owner
 * chose.
 */
export const isOnHold = part`
  (w.send_after > now() is true or exists (select 1 ${lasting(part`w.user_id`)}))`

/**
 * Column: end of the wait of `w`; null if it does not wait, or waits until withdrawals are
 * unlocked.
 */
export const heldUntil = (user: Fragment) =>
  part`greatest(case when w.send_after > now() then w.send_after end,
    (select max(h.until) ${lasting(user)}))`

/** Column: why `w` waits, by its owner's longest hold; null if none lasts. */
export const holdReason = part`
  (select h.reason ${lasting(part`w.user_id`)}
    order by h.until desc nulls first, h.id limit 1)`

/** Column: earliest time at which `w` is sent; null if it does not wait, or was sent. */
export const sendsAfter = (user: Fragment) =>
  part`case when w.state in ('pending', 'in_review', 'approved') then ${heldUntil(user)} end
    as sends_after`

/** `until`: null for a hold that lasts until withdrawals are unlocked. */
export type LastingHold = { reason: HoldReason; until: Date | null }

/** The longest hold; undefined if withdrawals need not wait. */
export async function findHold(sql: Queries, userId: string): Promise<LastingHold | undefined> {
  const [row] = await sql<LastingHold[]>`
    select h.reason, h.until ${lasting(part`${userId}`)}
     order by h.until desc nulls first, h.id limit 1`
  return row
}

export function refuseLocked(hold: LastingHold | undefined): void {
  if (hold?.until === null) throw new Refusal('withdrawals-locked')
}

/**
 * Refuses to send a withdrawal before `ownUntil` or while `hold` lasts. Callers must read `hold`
 * after all locks, so that they miss none.
 */
export function refuseOnHold(hold: LastingHold | undefined, ownUntil: Date | null): void {
  refuseLocked(hold)
  const until = hold?.until ?? ownUntil
  if (until) throw new Refusal('withdrawals-waiting', { values: { until: utcMinuteText(until) } })
}
