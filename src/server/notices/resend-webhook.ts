import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/security/throttle.ts'
import { readWebhooks } from './list-webhooks.ts'
import { makeDue } from './webhook-store.ts'

export const resendWebhook: Handler<'resendWebhook'> = async (
  { atomically, sql },
  { userId, params: { id } },
) => {
  // Threat: each press may send eight requests to an address that is not the user's.
  await throttle(sql, { key: `webhook:${userId}`, limit: 30, windowSeconds: 3_600 })
  return atomically(async (tx) => {
    if (!(await makeDue(tx.sql, { userId, id }))) throw new Refusal('not-found')
    return readWebhooks(tx.sql, userId)
  })
}
