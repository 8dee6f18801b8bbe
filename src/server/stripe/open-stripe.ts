import type { Stripe } from 'stripe'

export type StripeAccess = {
  secretKey: string
  /** Overrides Stripe's own address. */
  apiUrl?: string | undefined
}

/** A request and its one retry stay below a browser's timeout. */
const TIMEOUT_MS = 8_000
const RETRIES = 1

/** The official client, loaded on first use. It retries under the same idempotency key. */
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
