import type { Settings } from '#server/settings/settings.ts'
import { openStripe } from '#server/stripe/open-stripe.ts'
import { missing, ok, wrong, type Finding } from './finding.ts'

/** Messages for the operator by the type of Stripe's error. */
const FAULTS: Record<string, string> = {
  StripeAuthenticationError: 'Stripe rejects STRIPE_SECRET_KEY: copy it again',
  StripePermissionError:
    'STRIPE_SECRET_KEY may not read payments: grant it write access to payment intents and ' +
    'read access to charges, disputes and events',
  StripeConnectionError: 'Stripe does not answer: check the network and STRIPE_API_URL',
}

/** Checks the key with one harmless request for the newest payment. */
export async function examineStripe({
  BOOK,
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_API_URL: apiUrl,
}: Settings): Promise<Finding> {
  if (secretKey === undefined) {
    if (BOOK === 'paper') return ok('stripe', 'not configured: cards use the sandbox')
    return missing(
      'stripe',
      'there are no keys: until then, users see that the payment system is being configured',
    )
  }
  try {
    const stripe = await openStripe({ secretKey, apiUrl })()
    await stripe.paymentIntents.list({ limit: 1 })
    return ok('stripe', 'Stripe accepts the key')
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? String(error.type) : 'an unknown error'
    return wrong('stripe', FAULTS[type] ?? `Stripe answers with ${type}: try again later`)
  }
}
