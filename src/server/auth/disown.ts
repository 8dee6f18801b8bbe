import { randomBytes } from 'node:crypto'
import { Refusal } from '#core/refusal.ts'
import type { Call } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Transaction } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { publish } from '#server/events/bus.ts'
import { forgetPushDevices } from '#server/notices/forget-devices.ts'
import { LINK_HOURS, readLink } from '#server/notices/link.ts'
import { notify } from '#server/notices/notify.ts'
import { throttle } from '#server/throttle.ts'
import { lockWithdrawals } from '#server/withdrawal-holds.ts'
import { closeLinks, closeLinksOfOthers, forgetPending, isOpenLink, setVerified, stopPassword, useLink, type LinkedMessage } from './email-store.ts'
import { deleteFactorsSince } from './factor-store.ts'
import { hashPassword } from './password.ts'
import { deleteProofsOf } from './proof-store.ts'
import { deleteSessionsOf } from './store.ts'

/** The moment at which a message was written, as text to the microsecond. */
type Since = { userId: string; since: string }

/**
 * 'This was not me', from a message about something that a thief would do. Ends every session, stops the password and all withdrawals, removes
 * the second factors that were added since the message, and gives the account back the address that the message went to: from then on only a new
 * password, set by mail, opens it. `undo` takes back what else was done since.
 * Threat: programs that look through mail open links; so the link only leads to a page, and a press there calls this.
 */
export async function disownAccount(context: Context, { body: { token }, client }: Pick<Call<'disown'>, 'body' | 'client'>, undo: (tx: Transaction, since: Since) => Promise<void>): Promise<Record<string, never>> {
  const { sql, config, newId } = context
  await throttle(sql, { key: `disown-link:${client.address}`, limit: 30, windowSeconds: 3_600 })
  const link = readLink(token, { purpose: 'disown', secret: config.SESSION_SECRET })
  if (!(await isOpenLink(sql, link, LINK_HOURS.disown))) throw new Refusal('link-invalid')
  const { userId } = link
  const unusable = await hashPassword(randomBytes(32).toString('base64'), client.address)
  return atomically(sql, async (tx) => {
    const message = await useLink(tx, link, LINK_HOURS.disown)
    if (!message) throw new Refusal('link-invalid')
    await deleteSessionsOf(tx, { userId, except: undefined })
    await forgetPushDevices(tx, userId)
    await stopPassword(tx, { userId, unusable })
    await lockWithdrawals(context, tx, userId)
    await deleteFactorsSince(tx, { userId, since: message.since })
    await deleteProofsOf(tx, userId)
    await undo(tx, { userId, since: message.since })
    await restoreAddress(tx, { userId, message })
    await notify(tx, { userId, kind: 'account-frozen', event: `frozen:${newId()}` })
    await writeAudit(tx, { id: newId(), actor: `user:${userId}`, action: 'account.disown', subject: userId, details: { message: message.kind } })
    await publish(tx, { name: 'sessions-ended', userIds: [userId] })
    return {}
  })
}

/** A thief who changed the address must not keep it, nor any link that was sent there. */
async function restoreAddress(tx: Queries, { userId, message: { kind, address, details } }: { userId: string; message: LinkedMessage }): Promise<void> {
  await closeLinks(tx, { userId, kinds: ['verify-email', 'reset-password'] })
  await forgetPending(tx, userId)
  const isEarlier = kind === 'email-changed' && address !== details['address']
  if (!isEarlier || address === null) return
  await setVerified(tx, { userId, email: address })
  await closeLinksOfOthers(tx, { userId, address })
}
