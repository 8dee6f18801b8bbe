import type { CardError } from './objects.ts'

/**
 * Behavior of a test card: pays, is refused, requires confirmation, is disputed later, or its
 * refund fails.
 */
export type CardOutcome = {
  pays: boolean
  error?: CardError
  asks?: boolean
  disputedAs?: 'fraudulent' | 'inquiry'
  refundFails?: boolean
}

const refused = (code: string, message: string, declineCode?: string): CardOutcome => ({
  pays: false,
  error: { type: 'card_error', code, ...(declineCode && { decline_code: declineCode }), message },
})

/** Stripe's published test payment methods. Source: docs.stripe.com/testing. */
const METHODS: Record<string, CardOutcome> = {
  pm_card_visa: { pays: true },
  pm_card_mastercard: { pays: true },
  pm_card_visa_chargeDeclined: refused(
    'card_declined',
    'Your card was declined.',
    'generic_decline',
  ),
  pm_card_visa_chargeDeclinedInsufficientFunds: refused(
    'card_declined',
    'Your card has insufficient funds.',
    'insufficient_funds',
  ),
  pm_card_chargeDeclinedExpiredCard: refused('expired_card', 'Your card has expired.'),
  pm_card_authenticationRequired: { pays: true, asks: true },
  pm_card_createDispute: { pays: true, disputedAs: 'fraudulent' },
  pm_card_createDisputeInquiry: { pays: true, disputedAs: 'inquiry' },
  pm_card_refundFail: { pays: true, refundFails: true },
}

/** The published test card numbers, with the payment methods that a card form creates from them. */
const NUMBERS: Record<string, string> = {
  '4242424242424242': 'pm_card_visa',
  '4000000000000002': 'pm_card_visa_chargeDeclined',
  '4000000000009995': 'pm_card_visa_chargeDeclinedInsufficientFunds',
  '4000000000000069': 'pm_card_chargeDeclinedExpiredCard',
  '4000002760003184': 'pm_card_authenticationRequired',
  '4000000000000259': 'pm_card_createDispute',
}

export const outcomeOf = (paymentMethod: string): CardOutcome | undefined => METHODS[paymentMethod]

export const methodOfNumber = (number: string): string | undefined =>
  NUMBERS[number.replace(/\D/g, '')]
