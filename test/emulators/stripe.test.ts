import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStripe, STRIPE_KEYS, type StripeEmulator } from './stripe.ts'
import { signatureOf } from './stripe/webhooks.ts'

/** Stripe's own client checks that the emulator follows Stripe's rules. */
let emulator: StripeEmulator
let stripe: Stripe

beforeAll(async () => {
  emulator = await startStripe()
  stripe = clientFor(STRIPE_KEYS.test.secret)
})
afterAll(() => emulator.close())

function clientFor(key: string): Stripe {
  const { hostname, port } = new URL(emulator.url)
  return new Stripe(key, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

const newIntent = (amount = 5_000, idempotencyKey?: string) =>
  stripe.paymentIntents.create(
    { amount, currency: 'usd', metadata: { user_id: 'ada' } },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )

const refusal = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Stripe.errors.StripeError))
    throw new Error(`not refused as Stripe refuses: ${String(error)}`)
  const { type, statusCode, code, param } = error
  return [type, statusCode, code, param].filter((part) => part !== undefined).join(' ')
}

describe('keys', () => {
  test('an unknown key is refused, and a publishable key needs the client secret', async () => {
    expect(await refusal(clientFor('sk_test_other').paymentIntents.list())).toBe(
      'StripeAuthenticationError 401',
    )
    const { id } = await newIntent()
    expect(await refusal(clientFor(STRIPE_KEYS.test.publishable).paymentIntents.list())).toBe(
      'StripeAuthenticationError 401',
    )
    expect(
      await refusal(clientFor(STRIPE_KEYS.test.publishable).paymentIntents.retrieve(id)),
    ).toMatch(/^StripeInvalidRequestError 400/)
  })

  test('objects of test mode do not exist in live mode', async () => {
    const { id, livemode } = await newIntent()
    expect(livemode).toBe(false)
    const live = clientFor(STRIPE_KEYS.live.secret)
    expect(await refusal(live.paymentIntents.retrieve(id))).toBe(
      'StripeInvalidRequestError 404 resource_missing intent',
    )
    await expect(live.paymentIntents.retrieve(id)).rejects.toThrow(
      'a similar object exists in test mode',
    )
  })

  test('a key may also be sent as Basic authentication', async () => {
    const authorization = `Basic ${Buffer.from(`${STRIPE_KEYS.test.secret}:`).toString('base64')}`
    expect(
      (await fetch(`${emulator.url}/v1/payment_intents`, { headers: { authorization } })).status,
    ).toBe(200)
    expect((await fetch(`${emulator.url}/v1/payment_intents`)).status).toBe(401)
  })
})

describe('idempotency keys', () => {
  test('a repeated request runs once; another request under its key is refused', async () => {
    const first = await newIntent(5_000, 'attempt-1')
    expect((await newIntent(5_000, 'attempt-1')).id).toBe(first.id)
    expect(await refusal(newIntent(5_001, 'attempt-1'))).toBe('StripeIdempotencyError 400')
    expect(emulator.asked.at(-2)?.replayed).toBe(true)
  })

  test('an invalid request does not use up its key; a refused card does', async () => {
    expect(await refusal(newIntent(1, 'attempt-2'))).toMatch(/amount_too_small/)
    expect((await newIntent(100, 'attempt-2')).amount).toBe(100)
    const { id } = await newIntent()
    const pay = () =>
      stripe.paymentIntents.confirm(
        id,
        { payment_method: 'pm_card_visa_chargeDeclined' },
        { idempotencyKey: 'pay-1' },
      )
    expect(await refusal(pay())).toBe('StripeCardError 402 card_declined')
    expect(await refusal(pay())).toBe('StripeCardError 402 card_declined')
    expect(
      [...emulator.test.charges.values()].filter((charge) => charge.payment_intent === id),
    ).toHaveLength(1)
  })
})

test.each([
  [{ amount: 49, currency: 'usd' }, 'amount_too_small amount'],
  [{ amount: 100_000_000, currency: 'usd' }, 'amount_too_large amount'],
  [{ amount: 10.5, currency: 'usd' }, 'parameter_invalid_integer amount'],
  [{ amount: -5, currency: 'usd' }, 'parameter_invalid_integer amount'],
  [{ amount: 100, currency: 'xyz' }, 'currency'],
  [{ currency: 'usd' }, 'parameter_missing amount'],
  [{ amount: 100, currency: 'usd', colour: 'red' }, 'parameter_unknown colour'],
  [{ amount: 100, currency: 'usd', metadata: { ['k'.repeat(41)]: '1' } }, 'metadata'],
])('a payment of %j is refused as %s', async (parameters, reason) => {
  expect(
    await refusal(stripe.paymentIntents.create(parameters as Stripe.PaymentIntentCreateParams)),
  ).toBe(`StripeInvalidRequestError 400 ${reason}`)
})

describe('a payment', () => {
  test.each([
    ['pm_card_visa_chargeDeclined', 'card_declined generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
  ])('a payment by %s is refused as %s and may be tried again', async (payment_method, reason) => {
    const { id } = await newIntent()
    await expect(stripe.paymentIntents.confirm(id, { payment_method })).rejects.toThrow(/card/)
    const { status, last_payment_error: error } = await stripe.paymentIntents.retrieve(id)
    expect([status, [error?.code, error?.decline_code].filter(Boolean).join(' ')]).toEqual([
      'requires_payment_method',
      reason,
    ])
    expect(
      (await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status,
    ).toBe('succeeded')
  })

  test('a payment to confirm succeeds or fails as the customer answers', async () => {
    for (const [agrees, status] of [
      ['yes', 'succeeded'],
      ['no', 'requires_payment_method'],
    ] as const) {
      const { id } = await newIntent()
      const { next_action: action } = await stripe.paymentIntents.confirm(id, {
        payment_method: 'pm_card_authenticationRequired',
        return_url: 'http://localhost/deposit',
      })
      const answer = await fetch(`${action?.redirect_to_url?.url}?agree=${agrees}`, {
        redirect: 'manual',
      })
      expect(answer.headers.get('location')).toContain(`payment_intent=${id}`)
      expect((await stripe.paymentIntents.retrieve(id)).status).toBe(status)
    }
  })

  test('a payment is paid once, and never after it was canceled', async () => {
    const { id } = await newIntent()
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    expect(
      await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })),
    ).toMatch(/payment_intent_unexpected_state/)
    expect(await refusal(stripe.paymentIntents.cancel(id))).toMatch(
      /payment_intent_unexpected_state/,
    )
    const other = await newIntent()
    expect(
      (await stripe.paymentIntents.cancel(other.id, { cancellation_reason: 'abandoned' })).status,
    ).toBe('canceled')
    expect(
      await refusal(stripe.paymentIntents.confirm(other.id, { payment_method: 'pm_card_visa' })),
    ).toMatch(/payment_intent_unexpected_state/)
  })
})

test('refunds sum up on the charge, and stop at what was paid', async () => {
  const { id } = await newIntent(5_000)
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  await stripe.refunds.create({ payment_intent: id, amount: 1_000 })
  await stripe.refunds.create({ payment_intent: id, amount: 1_500 })
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, {
    expand: ['latest_charge'],
  })
  expect(charge).toMatchObject({ amount_refunded: 2_500, refunded: false })
  expect(await refusal(stripe.refunds.create({ payment_intent: id, amount: 2_501 }))).toMatch(
    /^StripeInvalidRequestError 400/,
  )
  await stripe.refunds.create({ payment_intent: id })
  expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toBe(
    'StripeInvalidRequestError 400 charge_already_refunded',
  )
})

test('a dispute takes the money until it is won; an inquiry takes none', async () => {
  const intents = await Promise.all(
    ['pm_card_createDispute', 'pm_card_createDisputeInquiry'].map(async (payment_method) =>
      stripe.paymentIntents.confirm((await newIntent()).id, { payment_method }),
    ),
  )
  const heldOf = async (intent: string) =>
    (await stripe.disputes.list({ payment_intent: intent })).data.flatMap((dispute) =>
      dispute.balance_transactions.map(({ amount }) => amount),
    )
  expect(await Promise.all(intents.map(({ id }) => heldOf(id)))).toEqual([[-5_000], []])
  const [dispute] = emulator.test.disputesOf(intents[0]?.id ?? '')
  if (dispute) emulator.test.closeDispute(dispute, 'won')
  expect(await heldOf(intents[0]?.id ?? '')).toEqual([-5_000, 5_000])
})

test('lists are paged, newest first', async () => {
  const all: string[] = []
  for await (const { id } of stripe.paymentIntents.list({ limit: 3 })) all.push(id)
  expect(all).toEqual([...emulator.test.intents.keys()].toReversed())
  expect(all.length).toBeGreaterThan(6)
})

test("the client accepts the emulator's signatures, and no others", async () => {
  const event = emulator.test.events.find(({ type }) => type === 'payment_intent.succeeded')
  const body = JSON.stringify(event)
  const atSeconds = Math.floor(Date.now() / 1_000)
  const read = (signature: string) =>
    stripe.webhooks.constructEvent(body, signature, STRIPE_KEYS.webhook, 300)
  expect(read(signatureOf(body, { secret: STRIPE_KEYS.webhook, atSeconds })).id).toBe(event?.id)
  expect(() => read(signatureOf(body, { secret: 'whsec_other', atSeconds }))).toThrow(/signature/)
  expect(() =>
    read(signatureOf(body, { secret: STRIPE_KEYS.webhook, atSeconds: atSeconds - 301 })),
  ).toThrow(/tolerance/)
  expect(() => read(signatureOf(`${body} `, { secret: STRIPE_KEYS.webhook, atSeconds }))).toThrow(
    /signature/,
  )
})

test('requests fail on demand; a request whose response was lost is executed', async () => {
  emulator.fail({ status: 429, times: 1 })
  expect(await refusal(stripe.paymentIntents.list())).toBe('StripeRateLimitError 429 rate_limit')
  emulator.fail({ status: 500, times: 1 })
  expect(await refusal(stripe.paymentIntents.list())).toBe('StripeAPIError 500')
  const before = emulator.test.intents.size
  // Stripe's client retries once by itself if a kept-alive connection breaks.
  emulator.fail({ lost: true, times: 2 })
  expect(await refusal(newIntent(700, 'lost-1'))).toBe('StripeConnectionError')
  expect((await newIntent(700, 'lost-1')).amount).toBe(700)
  expect(emulator.test.intents.size).toBe(before + 1)
})
