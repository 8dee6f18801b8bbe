import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { noteBroken } from '#server/ledger/guard-seals.ts'
import { readSealedEvents } from '#server/ledger/sealed-reads.ts'

/** Changes of an account, each of which writes a hold in its transaction and a sealed event of its owner. */
const CHANGES = ['password.change', 'password.reset', 'email.verify', 'factor.add', 'factor.remove', 'recovery-codes.renew', 'bank-account.add', 'bank-account.make-default']

/**
 * Refuses as 'payout-unproven' if a hold is missing that a sealed event of the account began, or was lifted although no sealed event says so.
 * Threat: somebody with the password of the app's role for the database changes an account, and then the rows that would make its payouts wait.
 * Operators see it as a broken seal.
 */
export async function refuseWithoutHolds(context: Context, tx: Queries, userId: string): Promise<void> {
  const { sql, log, config } = context
  const missing = (await isLockMissing(tx, userId)) ? 'a lock' : (await isHoldMissing(tx, { userId, hours: config.WITHDRAWAL_HOLD_HOURS })) ? 'a hold' : undefined
  if (missing === undefined) return
  const sentence = `This payout is not proven: the account was changed, and ${missing} of its withdrawals is gone from the tables.`
  log.error({ user: userId }, sentence)
  await noteBroken(sql, sentence)
  throw new Refusal('payout-unproven', { sentence })
}

async function isHoldMissing(tx: Queries, { userId, hours }: { userId: string; hours: number }): Promise<boolean> {
  const begun = await readSealedEvents(tx, part`
    e.actor = ${`user:${userId}`} and e.action = any(${CHANGES}) and e.created_at > now() - ${hours}::integer * interval '1 hour'
    and not exists (select from withdrawal_holds h where h.user_id = ${userId} and h.created_at = e.created_at and h.lifted_at is null)`)
  if (begun.length === 0) return false
  const released = await readSealedEvents(tx, part`e.subject = ${userId} and e.action = 'user.release-holds' and e.details ->> 'result' = 'released'`)
  return begun.some(({ id }) => !released.some((release) => release.id > id))
}

/** 'This was not me' locks until a new password is set by mail. */
async function isLockMissing(tx: Queries, userId: string): Promise<boolean> {
  const events = await readSealedEvents(tx, part`
    e.actor = ${`user:${userId}`} and e.action in ('account.disown', 'password.reset')
    or e.subject = ${userId} and e.action = 'user.release-holds' and e.details ->> 'result' = 'released'`)
  return events.toSorted((one, other) => (one.id < other.id ? -1 : 1)).at(-1)?.action === 'account.disown'
}
