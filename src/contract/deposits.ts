import { z } from 'zod'
import { PROVIDER, type CallRows } from './call-row.ts'
import { PROBLEMS, sentenceOf } from './problem.ts'
import { amountInput, Usd } from './wire.ts'

/**
 * The specification fixes the amount in this sentence; forms show the configured minimum instead.
 */
const DepositInput = amountInput(() =>
  sentenceOf({ code: 'deposit-amount-invalid', values: { minimum: '$10' } }),
)

export const CreatePaymentIntentRequest = z.strictObject({ amount: DepositInput })

export const PaymentSession = z.strictObject({
  clientSecret: z.string(),
  paymentIntentId: z.string(),
  provider: z.enum(['sandbox', 'stripe']),
  publishableKey: z.string().optional(),
  amount: Usd,
})
export type PaymentSession = z.infer<typeof PaymentSession>

/** A card of the sandbox. Never stored. The form must remove blanks from the number. */
export const SandboxCardPayment = z.strictObject({
  clientSecret: z.string().max(200),
  number: z.string().regex(/^\d{12,19}$/, PROBLEMS['card-number-invalid'].message),
  expMonth: z.int().min(1).max(12),
  expYear: z.int().min(2000).max(2100),
  cvc: z.string().regex(/^\d{3,4}$/, PROBLEMS['card-cvc-invalid'].message),
  /** The cardholder's answer, for cards that need a confirmation. */
  confirmed: z.boolean().optional(),
})

export const CardPaymentResult = z.strictObject({
  status: z.enum(['succeeded', 'requires_action', 'requires_payment_method']),
  message: z.string().optional(),
})

export const ConfirmDepositRequest = z.strictObject({
  paymentIntentId: z.string().max(200),
  /** Ignored, because only the provider knows the paid amount. */
  amount: z.union([z.string().max(40), z.number()]).optional(),
})

export const DepositResult = z.strictObject({
  status: z.literal('completed'),
  amount: Usd,
  transactionId: z.string(),
  availableBalance: Usd,
})
export type DepositResult = z.infer<typeof DepositResult>

export const depositCalls = {
  createPaymentIntent: {
    summary: 'Begin a deposit by card',
    access: 'user',
    keyed: true,
    body: CreatePaymentIntentRequest,
    response: PaymentSession,
    status: 201,
    problems: [
      'deposit-amount-invalid',
      'deposit-below-minimum',
      'deposit-above-maximum',
      'payment-not-succeeded',
      ...PROVIDER,
    ],
  },
  payWithSandboxCard: {
    summary: 'Pay a deposit by a card of the sandbox',
    access: 'user',
    body: SandboxCardPayment,
    response: CardPaymentResult,
    problems: ['not-found'],
  },
  confirmDeposit: {
    summary: 'Book a deposit that was paid',
    access: 'user',
    whileFrozen: true,
    body: ConfirmDepositRequest,
    response: DepositResult,
    problems: ['not-found', 'payment-not-succeeded', ...PROVIDER],
  },
} satisfies CallRows
