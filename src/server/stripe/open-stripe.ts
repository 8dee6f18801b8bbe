import type { Stripe } from 'stripe'

export type StripeAccess = {
  secretKey: string
  /** Another address than Stripe's own. */
  apiUrl?: string | undefined
}

/** One request and its one repetition stay below the patience of a browser. */
const TIMEOUT_MS = 8_000
const RETRIES = 1

/** The official client, loaded when it is first needed. What it sends again it sends under the same idempotency key. */
export function openStripe({ secretKey, apiUrl }: StripeAccess): () => Promise<Stripe> {
  let opened: Promise<Stripe> | undefined
  return () => (opened ??= connect({ secretKey, apiUrl }))
}

async function connect({ secretKey, apiUrl }: StripeAccess): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const { protocol, hostname, port } = new URL(apiUrl ?? 'https://api.stripe.com')
  return new Stripe(secretKey, {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? '80' : '443') : port,
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  })
}
