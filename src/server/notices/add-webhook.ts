import { checkCount } from '#core/count-limits.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import type { Book } from '#server/db/book.ts'
import { lockCash } from '#server/ledger/read.ts'
import { auditUser } from '#server/security/audit.ts'
import { readWebhooks } from './list-webhooks.ts'
import { notify } from './notify.ts'
import { newWebhookSecret } from './send-webhook.ts'
import { findWebhooks, insertWebhook } from './webhook-store.ts'

/** Without an idempotency key: a stored answer would hold the secret. */
export const addWebhook: Handler<'addWebhook'> = async (context, { userId, body, proof }) => {
  const address = calledAddress(context, body.address)
  const id = context.newId()
  const { secret, secretSealed } = newWebhookSecret(context, userId)
  return context.atomically(async (tx) => {
    // Two calls at once would each count one webhook too few.
    await lockCash(tx.sql, userId)
    checkCount('too-many-webhooks', (await findWebhooks(tx.sql, userId)).length)
    await proof.spend(tx)
    await insertWebhook(tx.sql, { ...body, userId, id, address, secretSealed })
    await tellChange(context, tx, { userId, id, address, change: 'added' })
    return { ...(await readWebhooks(tx.sql, userId)), secret }
  })
}

export function calledAddress({ webhook }: Context, typed: string): string {
  const address = webhook.addressOf(typed)
  if (address === undefined) throw new Refusal('webhook-address-invalid', { field: 'address' })
  return address
}

type Change = {
  userId: string
  id: string
  address: string
  change: 'added' | 'changed' | 'removed'
}

/** Notifies and audits a change of webhooks. Threat: a thief has notices sent to himself. */
export async function tellChange(
  context: Context,
  tx: Book,
  { userId, id, address, change }: Change,
): Promise<void> {
  const details = { host: new URL(address).host }
  const event = `webhook:${context.newId()}`
  await notify(tx.sql, { userId, kind: `webhook-${change}`, event, details })
  await auditUser(context, tx, {
    userId,
    action: 'webhook.change',
    subject: id,
    details: { ...details, change },
  })
}
