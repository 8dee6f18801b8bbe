import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { calledAddress, tellChange } from './add-webhook.ts'
import { readWebhooks } from './list-webhooks.ts'
import { newWebhookSecret } from './send-webhook.ts'
import { changeSecret, changeWebhook } from './webhook-store.ts'

export const updateWebhook: Handler<'updateWebhook'> = async (
  context,
  { userId, params: { id }, body: { newSecret, ...body }, proof },
) => {
  const address = calledAddress(context, body.address)
  const made = newSecret ? newWebhookSecret(context, userId) : undefined
  return context.atomically(async (tx) => {
    if (!(await changeWebhook(tx.sql, { ...body, userId, id, address })))
      throw new Refusal('not-found')
    await proof.spend(tx)
    if (made) await changeSecret(tx.sql, { userId, id, secretSealed: made.secretSealed })
    await tellChange(context, tx, { userId, id, address, change: 'changed' })
    return { ...(await readWebhooks(tx.sql, userId)), ...(made && { secret: made.secret }) }
  })
}
