import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import type { Context } from '#server/context.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { publish } from '#server/events/bus.ts'
import { supportOf } from '#server/settings/settings.ts'
import { deleteSessionsOf } from './store.ts'

/** A condition for statements in which `w` is a withdrawal: its owner is frozen. */
export const isOfFrozen = part`
  exists (select 1 from users f where f.id = w.user_id and f.frozen_at is not null)`

export type Frozen = { at: Date; reason: string }

export async function readFrozen(sql: Queries, userId: string): Promise<Frozen | undefined> {
  const [row] = await sql<
    Frozen[]
  >`select frozen_at as at, frozen_reason as reason from users where id = ${userId}
    and frozen_at is not null`
  return row
}

/** Refuses a change requested by a frozen user. */
export async function refuseFrozen(
  { sql, config }: Pick<Context, 'sql' | 'config'>,
  userId: string,
): Promise<void> {
  if ((await readFrozen(sql, userId)) === undefined) return
  const support = supportOf(config)
  if (support !== null)
    throw new Refusal('account-frozen', { values: { support: support.address } })
  throw new Refusal('account-frozen', {
    sentence: t(
      'Your account is frozen: you can see everything, but change nothing. ' +
        'The operator of this service can tell you why.',
    ),
  })
}

/** Must run in the payout's transaction, so that a payout and a freeze wait for each other. */
export async function refuseFrozenOwner(tx: Queries, userId: string): Promise<void> {
  const [row] = await tx<
    { isFrozen: boolean }[]
  >`select frozen_at is not null as is_frozen from users where id = ${userId} for share`
  if (row?.isFrozen === true)
    throw new Refusal('account-frozen', {
      sentence: t('This account is frozen. Unfreeze it before you pay it.'),
    })
}

/** False if the user was already in the requested state. */
export async function setFrozen(
  tx: Queries,
  { userId, reason }: { userId: string; reason: string | undefined },
): Promise<boolean> {
  const { count } = await tx`
    update users
       set frozen_at = ${reason === undefined ? part`null` : part`now()`},
           frozen_reason = ${reason ?? null}
     where id = ${userId} and (frozen_at is null) = ${reason !== undefined}`
  return count === 1
}

/**
 * Signs the user out everywhere but in the session `except`. Without `except`, it revokes keys for
 * programs too. Returns how many sessions were active.
 */
export async function endSessionsOf(
  tx: Queries,
  { userId, except }: { userId: string; except?: string | undefined },
): Promise<number> {
  const ended = await deleteSessionsOf(tx, { userId, except })
  await publish(tx, { name: 'sessions-ended', userIds: [userId] })
  return ended
}
