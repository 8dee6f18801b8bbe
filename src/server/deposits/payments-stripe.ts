import type { FastifyBaseLogger } from 'fastify'
import type { Stripe } from 'stripe'
import type { Units } from '#core/money/amount.ts'
import { centsToUnits, unitsToCents } from '#core/money/cents.ts'
import { Refusal } from '#core/refusal.ts'
import { codeOf } from '#server/kernel/errors.ts'
import { required } from '#core/assert.ts'
import { isId } from '#server/kernel/ids.ts'
import type { IntentRequest, IntentState, Payments } from '#server/ports/payments.ts'
import { openStripe, type StripeAccess, toRefusal } from '#server/stripe/open-stripe.ts'
import { CARD_EVENTS } from './receive-webhook.ts'

type Options = StripeAccess & {
  publishableKey: string
  webhookSecret: string
  /** True in a live book: payments of the other mode are never credited. */
  livemode: boolean
  log: FastifyBaseLogger
}

/** Seconds. Threat: somebody sends an old signed webhook again. */
const TOLERANCE_S = 300
const MOST_DISPUTES = 100
const BOOK_CURRENCY = 'usd'

export function stripePayments({
  publishableKey,
  webhookSecret,
  livemode,
  log,
  ...access
}: Options): Payments {
  const open = openStripe(access)
  const ask = async <Answer>(question: (stripe: Stripe) => Promise<Answer>): Promise<Answer> => {
    try {
      return await question(await open())
    } catch (error) {
      throw toRefusal(error, log)
    }
  }
  return {
    provider: 'stripe',
    publishableKey,
    createIntent: (request) => ask((stripe) => createIntent(stripe, request)),
    retrieveIntent: (id) => ask((stripe) => retrieveIntent(stripe, { id, livemode, log })),
    cancelIntent: (id) => ask((stripe) => cancelIntent(stripe, id)),
    changedSince: (since) => ask((stripe) => changedSince(stripe, { since, livemode })),
    readWebhook: async ({ body, signature }) => {
      const stripe = await open()
      return intentOf(readEvent(stripe, { body, signature, secret: webhookSecret }), livemode)
    },
  }
}

/**
 * Idempotent: the key consists of user and attempt, so a repeated request for one attempt returns
 * the same intent.
 */
async function createIntent(
  stripe: Stripe,
  { userId, amount, attempt }: IntentRequest,
): Promise<{ id: string; clientSecret: string }> {
  const { id, client_secret: clientSecret } = await stripe.paymentIntents.create(
    {
      amount: unitsToCents(amount),
      currency: BOOK_CURRENCY,
      allowed_payment_method_types: ['card'],
      metadata: { user_id: userId },
      description: 'Deposit',
    },
    { idempotencyKey: `deposit-${userId}-${attempt}` },
  )
  if (clientSecret === null) throw new Refusal('payment-provider-away')
  return { id, clientSecret }
}

async function retrieveIntent(
  stripe: Stripe,
  { id, livemode, log }: { id: string; livemode: boolean; log: FastifyBaseLogger },
): Promise<IntentState | undefined> {
  const intent = await stripe.paymentIntents
    .retrieve(id, { expand: ['latest_charge'] })
    .catch(undefinedWhereMissing)
  const userId = intent?.metadata['user_id']
  if (!intent || userId === undefined || !isId(userId) || intent.livemode !== livemode)
    return undefined
  if (intent.currency !== BOOK_CURRENCY) {
    log.error({ intentId: id, currency: intent.currency }, 'a payment in another currency is ours')
    return undefined
  }
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const isPaid = intent.status === 'succeeded' && charge !== null
  return {
    userId,
    // Without its charge, it is unknown whether the payment was refunded or disputed.
    status: isPaid || intent.status !== 'succeeded' ? statusOf(intent.status) : 'processing',
    received: isPaid ? centsToUnits(intent.amount_received) : 0n,
    refunded: isPaid ? centsToUnits(charge.amount_refunded) : 0n,
    disputed: isPaid && charge.disputed ? await disputedOf(stripe, id) : 0n,
  }
}

function undefinedWhereMissing(error: unknown): undefined {
  if (codeOf(error) === 'resource_missing') return undefined
  throw error
}

const STATUSES = ['requires_action', 'processing', 'succeeded', 'canceled'] as const

function statusOf(status: Stripe.PaymentIntent.Status): IntentState['status'] {
  if (status === 'requires_capture') return 'processing'
  return STATUSES.find((known) => known === status) ?? 'requires_payment_method'
}

/**
 * The amount that disputes hold, whatever their status: withdrawn less reinstated. An inquiry has
 * withdrawn nothing. Stripe's own fees are not charged to the user.
 */
async function disputedOf(stripe: Stripe, intentId: string): Promise<Units> {
  const { data, has_more: hasMore } = await stripe.disputes.list({
    payment_intent: intentId,
    limit: MOST_DISPUTES,
  })
  if (hasMore) throw new Refusal('payment-provider-away')
  const held = data.reduce((sum, dispute) => sum + heldBy(dispute), 0n)
  return held > 0n ? held : 0n
}

/** Moves in another currency, which Stripe converted, count by the dispute's own amount. */
function heldBy({ amount, currency, balance_transactions: moves }: Stripe.Dispute): Units {
  return moves.reduce((sum, move) => {
    if (move.currency === BOOK_CURRENCY) return sum - centsToUnits(move.amount)
    if (currency !== BOOK_CURRENCY) throw new Refusal('payment-provider-away')
    return sum - centsToUnits(Math.sign(move.amount) * amount)
  }, 0n)
}

async function cancelIntent(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
  } catch (error) {
    if (codeOf(error) !== 'payment_intent_unexpected_state')
      return undefinedWhereMissing(error) === undefined
    return (await stripe.paymentIntents.retrieve(id)).status === 'canceled'
  }
  return true
}

/**
 * Threat: anybody can call the webhook. Only a body with a fresh signature by Stripe is read.
 * Stripe's client accepts a time in the future, with which a signature would never expire.
 */
function readEvent(
  stripe: Stripe,
  { body, signature, secret }: { body: Buffer; signature: string; secret: string },
): unknown {
  try {
    const scheme = required(stripe.webhooks.signature, 'the client verifies signatures')
    scheme.verifyHeader(body, signature, secret, TOLERANCE_S)
    if (!isFromTheFuture(signature)) return JSON.parse(body.toString())
  } catch {
    throw new Refusal('webhook-signature-invalid')
  }
  throw new Refusal('webhook-signature-invalid')
}

const isFromTheFuture = (signature: string): boolean =>
  Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1] ?? 0) > Date.now() / 1_000 + TOLERANCE_S

/** Maximum per sweep; the next sweep continues after these are settled. */
const MOST_EVENTS = 5_000

/**
 * Stripe lists the events of the last thirty days, the newest first. If there are more than the
 * maximum, none is marked as seen, and webhooks must suffice.
 */
async function changedSince(
  stripe: Stripe,
  { since, livemode }: { since: Date; livemode: boolean },
): Promise<{ intentIds: string[]; until: Date }> {
  const found = new Set<string>()
  let [until, looked] = [since, 0]
  for await (const event of stripe.events.list({
    types: [...CARD_EVENTS],
    created: { gte: Math.floor(since.getTime() / 1_000) },
    limit: 100,
  })) {
    const intentId = intentOf(event, livemode)
    if (intentId !== undefined) found.add(intentId)
    if (looked === 0) until = new Date(event.created * 1_000)
    looked += 1
    if (looked >= MOST_EVENTS) return { intentIds: [...found], until: since }
  }
  return { intentIds: [...found], until }
}

/**
 * Undefined for events that do not affect the ledger, such as thin events, whose object is missing.
 */
function intentOf(event: unknown, livemode: boolean): string | undefined {
  const { type, livemode: mode, data } = recordOf(event)
  if (mode !== livemode || !CARD_EVENTS.some((known) => known === type)) return undefined
  const subject = recordOf(recordOf(data)['object'])
  const intent = type === 'payment_intent.succeeded' ? subject['id'] : subject['payment_intent']
  return typeof intent === 'string' ? intent : undefined
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
