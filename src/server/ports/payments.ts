import type { Units } from '#core/money/amount.ts'

export type IntentState = {
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  /** What was really paid, units of USD; 0 until it succeeded. */
  received: Units
  /** Units of USD that went back to the card, all refunds together. */
  refunded: Units
  /** Units of USD that disputes hold at present. */
  disputed: Units
  userId: string
}

export type CardPayment = { clientSecret: string; number: string; expMonth: number; expYear: number; confirmed: boolean }
export type CardAnswer = { status: 'succeeded' | 'requires_action' | 'requires_payment_method'; message?: string }

/** `attempt` names the user's attempt: asked twice for the same one, a provider makes one intent. */
export type IntentRequest = { userId: string; amount: Units; attempt: string }

/** Port: a provider of card payments. What it says was paid is the truth; what a client says is not. */
export type Payments = {
  provider: 'sandbox' | 'stripe' | 'none'
  publishableKey?: string
  createIntent: (request: IntentRequest) => Promise<{ id: string; clientSecret: string }>
  /** The provider's word on an intent; undefined where it knows none of ours in USD. */
  retrieveIntent: (id: string) => Promise<IntentState | undefined>
  /** Makes sure that an intent can never be paid; false where it was paid, or is being paid. */
  cancelIntent?: (id: string) => Promise<boolean>
  /** The payment that a webhook tells of, undefined where it tells of something else. Refuses as 'webhook-signature-invalid'. */
  readWebhook?: (webhook: { body: Buffer; signature: string }) => Promise<string | undefined>
  /** Payments that something happened to since then, by the provider's own list, and up to when that list goes. */
  changedSince?: (since: Date) => Promise<{ intentIds: string[]; until: Date }>
  /** Present in the sandbox alone: the card form that a real provider would serve itself. */
  payByCard?: (payment: CardPayment & { userId: string }) => Promise<CardAnswer>
}
