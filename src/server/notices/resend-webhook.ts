import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { readWebhooks } from './list-webhooks.ts'
import { makeDue } from './webhook-store.ts'

export const resendWebhook: Handler<'resendWebhook'> = async (
  { atomically },
  { userId, params: { id } },
) =>
  atomically(async ({ sql }) => {
    if (!(await makeDue(sql, { userId, id }))) throw new Refusal('not-found')
    return readWebhooks(sql, userId)
  })
