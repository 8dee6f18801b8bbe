import type { Units } from '#core/money/amount.ts'

export type IntentState = {
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  /** Units of USD actually paid; 0 until it succeeded. */
  received: Units
  /** Units of USD returned to the card by all refunds. */
  refunded: Units
  /** Units of USD that disputes hold at present. */
  disputed: Units
  userId: string
}

export type CardPayment = {
  clientSecret: string
  number: string
  expMonth: number
  expYear: number
  confirmed: boolean
}
export type CardAnswer = {
  status: 'succeeded' | 'requires_action' | 'requires_payment_method'
  message?: string
}

/** `attempt` identifies the user's attempt: repeated requests for one attempt create one intent. */
export type IntentRequest = { userId: string; amount: Units; attempt: string }

/**
 * Port: a provider of card payments. Its record of a payment is authoritative; the client's is not.
 */
export type Payments = {
  provider: 'sandbox' | 'stripe' | 'none'
  publishableKey?: string
  createIntent: (request: IntentRequest) => Promise<{ id: string; clientSecret: string }>
  /** The provider's record of an intent; undefined unless it is one of ours in USD. */
  retrieveIntent: (id: string) => Promise<IntentState | undefined>
  /** Ensures that an intent can never be paid; false if it was paid, or is being paid. */
  cancelIntent?: (id: string) => Promise<boolean>
  /**
   * The payment that a webhook is about; undefined for other events. Refuses as
   * 'webhook-signature-invalid'.
   */
  readWebhook?: (webhook: { body: Buffer; signature: string }) => Promise<string | undefined>
  /**
   * Payments that changed since then, from the provider's event list, and the time up to which the
   * list was read.
   */
  changedSince?: (since: Date) => Promise<{ intentIds: string[]; until: Date }>
  /** Only in the sandbox: replaces the card form of a real provider. */
  payByCard?: (payment: CardPayment & { userId: string }) => Promise<CardAnswer>
}
