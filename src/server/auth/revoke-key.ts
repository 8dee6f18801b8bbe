import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { notify } from '#server/notices/notify.ts'
import { auditUser } from '#server/security/audit.ts'
import { deleteKey } from './program-key-store.ts'

/** Needs no proof, because revoking a key only reduces access. */
export const revokeKey: Handler<'revokeKey'> = async (context, { userId, params: { id } }) => {
  await context.atomically(async (tx) => {
    const key = await deleteKey(tx.sql, { userId, id })
    if (key === undefined) throw new Refusal('not-found')
    const event = `key-revoked:${id}`
    await notify(tx.sql, { userId, kind: 'key-revoked', event, details: { key } })
    await auditUser(context, tx, { userId, action: 'key.revoke', details: { key: id } })
  })
  return {}
}
