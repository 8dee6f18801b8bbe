import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { tellChange } from './add-webhook.ts'
import { readWebhooks } from './list-webhooks.ts'
import { deleteWebhook } from './webhook-store.ts'

/** Gives up messages that wait for the webhook. */
export const removeWebhook: Handler<'removeWebhook'> = async (
  context,
  { userId, params: { id }, proof },
) =>
  context.atomically(async (tx) => {
    const address = await deleteWebhook(tx.sql, { userId, id })
    if (address === undefined) throw new Refusal('not-found')
    await proof.spend(tx)
    await tellChange(context, tx, { userId, id, address, change: 'removed' })
    return readWebhooks(tx.sql, userId)
  })

/** Each may be a stranger's, so even waiting messages are dropped. */
export async function forgetWebhooks(tx: Queries, userId: string): Promise<void> {
  await tx`delete from webhooks where user_id = ${userId}`
}
