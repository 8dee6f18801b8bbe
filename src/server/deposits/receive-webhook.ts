import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { settleDeposit } from './settle-deposit.ts'

/** Called by the card provider, never by a browser. */
export const CARD_WEBHOOK = '/api/webhooks/stripe'

/**
 * Triggers a settlement, which reads the state from the provider, since events arrive twice, late
 * and in any order. Refuses a body without the provider's signature; any other answer stops
 * resends.
 */
export async function receiveWebhook(
  context: Context,
  { body, signature }: { body: Buffer; signature: string },
): Promise<void> {
  const { readWebhook } = context.payments
  if (!readWebhook) throw new Refusal('not-found')
  const intentId = await readWebhook({ body, signature })
  if (intentId !== undefined) await settleDeposit(context, intentId)
}
