import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { settleDeposit } from './settle-deposit.ts'

/** Called by the card provider, never by a browser. */
export const CARD_WEBHOOK = '/api/webhooks/stripe'

/** Events that may change what the ledger must book: the webhook at Stripe subscribes to these. */
export const CARD_EVENTS = [
  'payment_intent.succeeded',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const

/**
 * Triggers a settlement, which reads the state from the provider, because events arrive twice, late
 * and in any order. Refuses only a body without the provider's signature, because any other refusal
 * would cause resends.
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
