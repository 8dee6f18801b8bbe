import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { settleDeposit } from './settle-deposit.ts'

/** Where the card provider calls us; no browser does. */
export const CARD_WEBHOOK = '/api/webhooks/stripe'

/**
 * A card provider tells that something happened to a payment. What happened is asked of the provider: events come twice, late and in any
 * order. Refuses what does not carry the provider's signature; an answer other than a refusal tells the provider not to send it again.
 */
export async function receiveWebhook(context: Context, { body, signature }: { body: Buffer; signature: string }): Promise<void> {
  const { readWebhook } = context.payments
  if (!readWebhook) throw new Refusal('not-found')
  const intentId = await readWebhook({ body, signature })
  if (intentId !== undefined) await settleDeposit(context, intentId)
}
