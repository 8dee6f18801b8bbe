import { changeAccount } from '#server/account-seal.ts'
import { writeAudit } from '#server/audit.ts'
import type { Context } from '#server/context.ts'
import { notify } from './notify.ts'

type Dead = { userId: string; address: string; emailKey: string }

/**
 * An address that does not exist any more is no longer verified: nothing is sent to it, and a
 * notice in the app says so.
 */
export async function dropAddress(
  { sql, newId }: Context,
  { userId, address, emailKey }: Dead,
): Promise<void> {
  await changeAccount(sql, userId, async (tx) => {
    const { count } = await tx`
      update users set email_verified_at = null, updated_at = now() where id = ${userId}
         and email = ${address} and email_verified_at is not null`
    if (count === 0) return
    await tx`delete from emails where email_key = ${emailKey} and user_id = ${userId}`
    await tx`delete from verified_emails where user_id = ${userId} and email = ${address}`
    await notify(tx, {
      userId,
      kind: 'email-dead',
      event: `email-dead:${newId()}`,
      details: { address },
    })
    await writeAudit(tx, {
      id: newId(),
      actor: 'system',
      action: 'email.dead',
      subject: userId,
      details: {},
    })
  })
}
