import type { Settings } from '#server/settings.ts'
import { openStripe } from '#server/stripe/open-stripe.ts'
import { missing, ok, wrong, type Finding } from './finding.ts'

/** What Stripe's errors mean to whoever configures it, by their type. */
const FAULTS: Record<string, string> = {
  StripeAuthenticationError: 'Stripe does not know STRIPE_SECRET_KEY: copy it again',
  StripePermissionError: 'STRIPE_SECRET_KEY may not read payments: let it write payment intents and read charges, disputes and events',
  StripeConnectionError: 'Stripe does not answer: look at the network and STRIPE_API_URL',
}

/** One question that changes nothing: the newest payment. */
export async function examineStripe({ BOOK, STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl }: Settings): Promise<Finding> {
  if (secretKey === undefined) {
    if (BOOK === 'paper') return ok('stripe', 'not configured: cards are a sandbox')
    return missing('stripe', 'there are no keys: until then people read that the payment system is being configured')
  }
  try {
    const stripe = await openStripe({ secretKey, apiUrl })()
    await stripe.paymentIntents.list({ limit: 1 })
    return ok('stripe', 'it answers the key')
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? String(error.type) : 'an unknown error'
    return wrong('stripe', FAULTS[type] ?? `Stripe answers with ${type}: try again later`)
  }
}
