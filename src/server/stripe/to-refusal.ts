import type { FastifyBaseLogger } from 'fastify'
import { Refusal, type RefusalCode } from '#core/refusal.ts'

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
