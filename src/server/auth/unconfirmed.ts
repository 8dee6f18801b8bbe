import { DISOWN_DAYS, DISOWNABLE_KINDS } from '#core/notices/notice.ts'
import type { Queries } from '#server/db/statement.ts'
import { findEarlierAddress, findVerified } from './email-store.ts'

/**
 * `since`: as text to the microsecond, which a Date does not hold. `address`: undefined for a user
 * who never verified one.
 */
export type Unconfirmed = { userId: string; since: string; address: string | undefined }

/**
 * The time whose events the owner has not confirmed, and the address of before it. Two things
 * confirm an event: days without a press of 'This was not me', and a press itself, which undoes
 * what is not confirmed and so leaves nothing else. Threat: nothing that a thief can do confirms an
 * event. A link, a session, a code or an unlocked phone may be a thief's.
 */
export async function findUnconfirmed(sql: Queries, userId: string): Promise<Unconfirmed> {
  const [row] = await sql<{ since: string }[]>`
    select greatest(now() - ${DISOWN_DAYS}::integer * interval '1 day',
           max(created_at) + interval '1 microsecond')::text as since
      from withdrawal_holds where user_id = ${userId} and reason = 'disowned'`
  const since = row?.since ?? ''
  const address =
    (await findEarlierAddress(sql, { userId, since, kinds: DISOWNABLE_KINDS })) ??
    (await findVerified(sql, userId))
  return { userId, since, address }
}
