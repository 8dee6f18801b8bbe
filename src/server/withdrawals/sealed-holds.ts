import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { noteBroken } from '#server/ledger/guard-seals.ts'
import { readSealedEvents } from '#server/ledger/sealed-reads.ts'

/**
 * Refuses as 'payout-unproven' if the row of a hold or lock is gone, or lifted, although the sealed
 * events of the account say that it lasts. Called once no row makes withdrawals wait. Threat:
 * somebody with the password of the app's role for the database changes an account, and then the
 * rows that would make its payouts wait. Operators see it as a broken seal.
 */
export async function refuseWithoutHolds(
  { sql, log }: Context,
  tx: Queries,
  userId: string,
): Promise<void> {
  const missing = (await isLockMissing(tx, userId))
    ? 'a lock'
    : (await isHoldMissing(tx, userId))
      ? 'a hold'
      : undefined
  if (missing === undefined) return
  const sentence =
    `This payout is not proven: the account was changed, and ${missing} of its withdrawals is ` +
    'gone from the tables.'
  log.error({ user: userId }, sentence)
  await noteBroken(sql, sentence)
  throw new Refusal('payout-unproven', { sentence })
}

async function isHoldMissing(tx: Queries, userId: string): Promise<boolean> {
  const lasting = await readSealedEvents(
    tx,
    part`e.subject = ${userId} and e.action = 'withdrawals.hold' and (e.details ->> 'until')::timestamptz > now()`,
  )
  if (lasting.length === 0) return false
  const released = await readSealedEvents(
    tx,
    part`e.subject = ${userId} and e.action = 'user.release-holds' and e.details ->> 'result' = 'released'`,
  )
  return lasting.some(({ id }) => !released.some((release) => release.id > id))
}

/** 'This was not me' locks until a new password is set by mail. */
async function isLockMissing(tx: Queries, userId: string): Promise<boolean> {
  const events = await readSealedEvents(
    tx,
    part`
    e.actor = ${`user:${userId}`} and e.action in ('account.disown', 'password.reset')
    or e.subject = ${userId} and e.action = 'user.release-holds' and e.details ->> 'result' = 'released'`,
  )
  return (
    events.toSorted((one, other) => (one.id < other.id ? -1 : 1)).at(-1)?.action ===
    'account.disown'
  )
}
