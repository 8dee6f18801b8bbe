import type { Stripe } from 'stripe'
import type { FastifyBaseLogger } from 'fastify'
import { centsToUnits } from '#core/money/cents.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { Refusal, type RefusalCode } from '#core/refusal.ts'
import { codeOf, StartupError } from '#server/kernel/errors.ts'

export type StripeAccess = {
  secretKey: string
  /** Overrides Stripe's own address. */
  apiUrl?: string | undefined
}

/** Short enough that a request and its one retry stay below a browser's timeout. */
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

/** Refusal by class of the client's error. Other classes become a temporary failure. */
const REFUSALS: Record<string, RefusalCode> = {
  StripeIdempotencyError: 'idempotency-key-reused',
  StripeAuthenticationError: 'payment-unavailable',
  StripePermissionError: 'payment-unavailable',
  StripeInvalidRequestError: 'payment-unavailable',
  StripeCardError: 'payment-not-succeeded',
}

/** Cents of USD. Source: docs.stripe.com/currencies, "minimum and maximum charge amounts". */
const LEAST_CHARGE = 50
const LARGEST_CHARGE = 99_999_999

const limitText = (cents: number): string => englishMoneyText({ amount: centsToUnits(cents) })

function refusalOf(type: string, code: string | undefined): Refusal {
  const field = 'amount'
  if (code === 'amount_too_small')
    return new Refusal('deposit-below-minimum', {
      field,
      values: { minimum: limitText(LEAST_CHARGE) },
    })
  if (code === 'amount_too_large')
    return new Refusal('deposit-above-maximum', {
      field,
      values: { maximum: limitText(LARGEST_CHARGE) },
    })
  return new Refusal(REFUSALS[type] ?? 'payment-provider-away')
}

/** Converts Stripe's error to a refusal. Other errors are returned unchanged. */
export function toRefusal(error: unknown, log: FastifyBaseLogger): unknown {
  if (!(error instanceof Error) || !('type' in error) || !('statusCode' in error)) return error
  const [type, code] = [String(error.type), codeOf(error)]
  // Two simultaneous requests under one key: the other one is still in progress.
  const refusal = refusalOf(error.statusCode === 409 ? '' : type, code)
  const told = { type, code, status: error.statusCode, reason: error.message }
  if (refusal.code === 'payment-unavailable')
    log.error(told, 'Stripe takes no payments for this account or key: see its reason')
  else log.warn(told, 'Stripe refused a request')
  return refusal
}

/**
 * The reason why the account cannot be used; undefined if it has a balance in USD. Without one,
 * Stripe would convert payments, and take refunds and disputes at other rates.
 */
export async function settlementFault(stripe: Stripe): Promise<string | undefined> {
  const { available, pending } = await stripe.balance.retrieve()
  const currencies = new Set([...available, ...pending].map(({ currency }) => currency))
  if (currencies.has('usd')) return undefined
  const found = [...currencies].join(', ').toUpperCase() || 'no currency'
  return (
    `Stripe settles this account in ${found}, and the book is kept in USD: add a bank ` +
    'account in USD at Stripe.'
  )
}

/** Checked at the start of a live book; `doctor` checks it later if the account cannot be read. */
export async function refuseForeignSettlement(
  { secretKey, apiUrl }: { secretKey: string | undefined; apiUrl: string | undefined },
  log: FastifyBaseLogger,
): Promise<void> {
  if (secretKey === undefined) return
  const fault = await openStripe({ secretKey, apiUrl })()
    .then(settlementFault)
    .catch((error: unknown) => log.warn(error, 'Stripe does not name the currency it settles in'))
  if (fault) throw new StartupError(fault)
}
