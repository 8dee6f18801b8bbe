import type { Units } from '#core/money/amount.ts'

export type IntentState = {
  status: 'requires_payment_method' | 'requires_action' | 'succeeded'
  /** What was really paid, units of USD; 0 until it succeeded. */
  received: Units
  userId: string
}

export type CardPayment = { clientSecret: string; number: string; expMonth: number; expYear: number; confirmed: boolean }

/** Port: a provider of card payments. What it says was paid is the truth; what a client says is not. */
export type Payments = {
  provider: 'sandbox' | 'stripe'
  publishableKey?: string
  createIntent: (request: { userId: string; amount: Units }) => Promise<{ id: string; clientSecret: string }>
  /** The provider's word on an intent; undefined where it knows none. */
  retrieveIntent: (id: string) => Promise<IntentState | undefined>
  /** Present in the sandbox alone: the card form that a real provider would serve itself. */
  payByCard?: (payment: CardPayment & { userId: string }) => Promise<{ status: IntentState['status']; message?: string }>
}
