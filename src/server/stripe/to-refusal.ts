import type { FastifyBaseLogger } from 'fastify'
import { Refusal, type RefusalCode } from '#core/refusal.ts'

/** What the client's errors mean to our user, by their type. */
const REFUSALS: Record<string, RefusalCode> = {
  StripeConnectionError: 'payment-provider-away',
  StripeAPIError: 'payment-provider-away',
  StripeRateLimitError: 'payment-provider-away',
  StripeIdempotencyError: 'idempotency-key-reused',
  StripeAuthenticationError: 'payment-unavailable',
  StripePermissionError: 'payment-unavailable',
}

/** Stripe's error as a refusal; one that only a bug of ours explains is thrown on as it is. */
export function toRefusal(error: unknown, log: FastifyBaseLogger): unknown {
  if (!(error instanceof Error) || !('type' in error) || !('statusCode' in error)) return error
  const code = REFUSALS[String(error.type)]
  if (code === undefined) return error
  log.warn({ type: error.type, status: error.statusCode, reason: error.message }, 'Stripe did not do what it was asked')
  // Two requests under one key at the same moment: the other one is still at work.
  return new Refusal(error.statusCode === 409 ? 'payment-provider-away' : code)
}
