import { randomBytes } from 'node:crypto'
import { Refusal } from '#core/refusal.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import type { Call } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import type { Book, BookWrite } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'
import { forgetPushDevices } from '#server/notices/remove-push-device.ts'
import { forgetWebhooks } from '#server/notices/remove-webhook.ts'
import { LINK_HOURS } from '#server/notices/link.ts'
import { notify } from '#server/notices/notify.ts'
import { lockWithdrawals } from '#server/withdrawal-holds.ts'
import {
  closeAllLinks,
  findKeptAddresses,
  forgetPending,
  restoreVerified,
  setNoneVerified,
  setPassword,
  useLink,
  findEarlierAddress,
  findVerified,
} from './email-store.ts'
import {
  restoreFactors,
  deleteProofsOf,
  findFactorsSince,
  type FactorChanges,
} from './factor-store.ts'
import { openLink } from './open-link.ts'
import { hashPassword } from './password.ts'
import { endSessionsOf } from './frozen.ts'
import { findKeys } from './program-key-store.ts'
import { findSessions } from './store.ts'
import { DISOWN_DAYS, DISOWNABLE_KINDS } from '#core/notices/notice.ts'

type Pressed = Pick<Call<'disown'>, 'body' | 'client'>

/**
 * 'This was not me': resets the account to before the first event that its owner has not confirmed.
 * Only a new password, set by a message to the restored address, unlocks it. `undo` reverts all
 * other changes. A thief who presses gains nothing, because the result is the same for everybody.
 * The link only leads to a page whose button calls this, because programs that scan mail open
 * links.
 */
export async function disownAccount(
  context: Context,
  { body: { token }, client }: Pressed,
  undo: (tx: BookWrite, of: Unconfirmed) => Promise<void>,
): Promise<Record<string, never>> {
  const { newId } = context
  const link = await openLink(context, { token, client, purpose: 'disown' })
  const { userId } = link
  const unusable = await hashPassword(randomBytes(32).toString('base64'), client.address)
  // A concurrent call waits for this lock, and then finds its session ended.
  return changeAccount(context, userId, async (tx) => {
    const message = await useLink(tx.sql, link, LINK_HOURS.disown)
    if (!message) throw new Refusal('link-invalid')
    const of = await findUnconfirmed(tx, userId)
    await notify(tx.sql, {
      userId,
      kind: 'account-disowned',
      event: `disowned:${newId()}`,
      alsoTo: await findKeptAddresses(tx.sql, { userId, since: of.since }),
    })
    await lockAccount(context, tx.sql, { userId, unusable })
    await restoreFactors(tx.sql, of)
    await undo(tx, of)
    await restoreAddress(tx.sql, of)
    await auditUser({ newId }, tx, {
      userId,
      action: 'account.disown',
      details: { message: message.kind, since: of.since },
    })
    return {}
  })
}

async function lockAccount(
  context: Context,
  tx: Queries,
  { userId, unusable }: { userId: string; unusable: string },
): Promise<void> {
  await endSessionsOf(tx, { userId })
  await deleteProofsOf(tx, userId)
  await forgetPushDevices(tx, userId)
  await forgetWebhooks(tx, userId)
  await setPassword(tx, { userId, password: unusable })
  await lockWithdrawals(context, tx, userId)
  await closeAllLinks(tx, userId)
}

/**
 * Threat: the new password would be mailed to the thief's address. If the earlier address cannot be
 * restored, the account has none.
 */
async function restoreAddress(tx: Queries, { userId, address: email }: Unconfirmed): Promise<void> {
  await forgetPending(tx, userId)
  if (email === undefined || !(await restoreVerified(tx, { userId, email })))
    await setNoneVerified(tx, userId)
}

/**
 * `since`: as text, because a Date has no microseconds. `address`: undefined if the user never
 * verified one.
 */
export type Unconfirmed = { userId: string; since: string; address: string | undefined }

/**
 * Finds the time of the first unconfirmed event, and the address that was verified before it. An
 * event is confirmed after `DISOWN_DAYS` without a press of 'This was not me'. A press undoes all
 * unconfirmed events; afterwards only later events are unconfirmed. Threat: a link, session, code
 * or unlocked phone may be a thief's, so none of them confirms an event.
 */
async function findUnconfirmed(book: Book, userId: string): Promise<Unconfirmed> {
  const [row] = await book.sql<{ since: string }[]>`
    select greatest(now() - ${DISOWN_DAYS}::integer * interval '1 day',
           max(created_at) + interval '1 microsecond')::text as since
      from withdrawal_holds where user_id = ${userId} and reason = 'disowned'`
  const since = row?.since ?? ''
  const address =
    (await findEarlierAddress(book.sql, { userId, since, kinds: DISOWNABLE_KINDS })) ??
    (await findVerified(book, userId))
  return { userId, since, address }
}

type Preview = FactorChanges & {
  of: Unconfirmed
  address: string | null
  otherAddress: string | null
  devices: number
  keys: string[]
}

export async function previewDisowned(
  context: Context,
  { body: { token }, client }: Pick<Call<'previewDisown'>, 'body' | 'client'>,
): Promise<Preview> {
  const { sql, config } = context
  const { userId } = await openLink(context, { token, client, purpose: 'disown' })
  const of = await findUnconfirmed(context, userId)
  const [present, factors, sessions, keys] = [
    await findVerified(context, userId),
    await findFactorsSince(sql, of),
    await findSessions(sql, userId, config),
    await findKeys(sql, userId),
  ]
  const otherAddress = present === undefined || present === of.address ? null : shortened(present)
  return {
    ...factors,
    of,
    address: of.address === undefined ? null : shortened(of.address),
    otherAddress,
    devices: sessions.length,
    keys: keys.map(({ name }) => name),
  }
}

/** 'ad•••@example.com': enough for the owner to recognize, but not for others. */
function shortened(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, Math.min(2, at - 1))}•••${email.slice(at)}`
}
