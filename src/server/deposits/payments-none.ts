import { Refusal } from '#core/refusal.ts'
import type { Payments } from '#server/ports/payments.ts'

/** A live book without a card provider: it refuses deposits. */
export function noPayments(): Payments {
  return {
    provider: 'none',
    createIntent: () => Promise.reject(new Refusal('payment-unavailable')),
    retrieveIntent: async () => undefined,
  }
}
