import type { Stripe } from 'stripe'
import type { FastifyBaseLogger } from 'fastify'
import { Refusal, type RefusalCode } from '#core/refusal.ts'

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

/** Refusals by the type of the client's error. */
const REFUSALS: Record<string, RefusalCode> = {
  StripeConnectionError: 'payment-provider-away',
  StripeAPIError: 'payment-provider-away',
  StripeRateLimitError: 'payment-provider-away',
  StripeIdempotencyError: 'idempotency-key-reused',
  StripeAuthenticationError: 'payment-unavailable',
  StripePermissionError: 'payment-unavailable',
}

/**
 * Converts Stripe's error to a refusal; an error that only a bug of ours explains stays as it is.
 */
export function toRefusal(error: unknown, log: FastifyBaseLogger): unknown {
  if (!(error instanceof Error) || !('type' in error) || !('statusCode' in error)) return error
  const code = REFUSALS[String(error.type)]
  if (code === undefined) return error
  log.warn(
    { type: error.type, status: error.statusCode, reason: error.message },
    'Stripe refused a request',
  )
  // Two simultaneous requests under one key: the other one is still in progress.
  return new Refusal(error.statusCode === 409 ? 'payment-provider-away' : code)
}
