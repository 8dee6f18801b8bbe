import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '#server/ledger/reconcile.ts'
import { sweepDeposits } from '#server/deposits/sweep-deposits.ts'
import { STRIPE_KEYS } from '../emulators/stripe.ts'
import { StripeProblem } from '../emulators/stripe/problem.ts'
import { signatureOf } from '../emulators/stripe/webhooks.ts'
import { createWorld, TEST_CARD, type TestUser } from '../world/world.ts'
import { valuesOf } from './declarations.ts'
import { createStripeWorld, sendWebhook, type StripeWorld } from './stripe-world.ts'

let world: StripeWorld
let ada: TestUser
beforeAll(async () => {
  world = await createStripeWorld()
  ada = await world.user()
})
afterAll(() => world.close())

const cashOf = async (user: TestUser) => (await user.call('getUser')).availableBalance
describe('a payment session', () => {
  test("contains the data of the card form, in cents of USD, with the user's id", async () => {
    const session = await ada.call('createPaymentIntent', { body: { amount: '123.45' } })
    const intent = world.stripe.test.intents.get(session.paymentIntentId)
    expect(session).toMatchObject({
      provider: 'stripe',
      publishableKey: STRIPE_KEYS.test.publishable,
      amount: '123.45',
      clientSecret: intent?.client_secret,
    })
    expect(intent).toMatchObject({
      amount: 12_345,
      currency: 'usd',
      metadata: { user_id: ada.id },
      allowed_payment_method_types: ['card'],
    })
  })

  test('exists once per attempt; another amount under its key is refused', async () => {
    const ask = (amount: string, key: string) =>
      ada.ask('createPaymentIntent', { body: { amount }, key })
    const [first, second] = await Promise.all([ask('20', 'attempt'), ask('20', 'attempt')])
    expect(second?.body.paymentIntentId).toBe(first?.body.paymentIntentId)
    expect(await ask('21', 'attempt')).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    })
    const bob = await world.user()
    expect(
      (await bob.call('createPaymentIntent', { body: { amount: '20' }, key: 'attempt' }))
        .paymentIntentId,
    ).not.toBe(first?.body.paymentIntentId)
  })

  test.each([[{ status: 500 } as const], [{ status: 429 } as const], [{ status: 503 } as const]])(
    'a payment session is refused with a message if Stripe answers %j',
    async (fault) => {
      world.stripe.fail({ ...fault, times: 2 })
      const { status, body } = await ada.ask('createPaymentIntent', { body: { amount: '20' } })
      expect([status, body.code, body.message]).toEqual([
        503,
        'payment-provider-away',
        "The card provider isn't responding. Please try again in a moment. " +
          "You won't be charged twice.",
      ])
    },
  )

  const CODES = valuesOf('resources/PaymentIntents.d.ts', {
    type: 'Code',
    after: 'namespace LastPaymentError {',
  })
  const KINDS: Record<string, readonly [status: number, expected: string]> = {
    invalid_request_error: [400, '503 payment-unavailable'],
    card_error: [402, '409 payment-not-succeeded'],
    api_error: [500, '503 payment-provider-away'],
    'a type of tomorrow': [418, '503 payment-provider-away'],
  }
  const LIMITS: Record<string, string> = {
    amount_too_small: '422 deposit-below-minimum amount',
    amount_too_large: '422 deposit-above-maximum amount',
    rate_limit: '503 payment-provider-away',
  }

  const REFUSED = Object.entries(KINDS).flatMap(([type, [status, expected]]) =>
    (status === 400 ? CODES : ['card_declined']).map((code) => {
      const wanted = (status === 400 && LIMITS[code]) || expected
      return { code, wanted, answer: new StripeProblem(status, { type, code, message: code }) }
    }),
  )
  test(`each of ${CODES.length} codes has a message, and none is answered with 500`, async () => {
    expect(CODES.length).toBeGreaterThan(180)
    const met: unknown[] = []
    for (const { code, answer } of REFUSED) {
      world.stripe.answerBy(() => ({ problem: answer }))
      const { status, body } = await ada.ask('createPaymentIntent', { body: { amount: '20' } })
      met.push([code, [status, body.code, body.field].filter(Boolean).join(' ')])
    }
    world.stripe.answerBy(() => undefined)
    expect(met).toEqual(REFUSED.map(({ code, wanted }) => [code, wanted]))
  })

  test('a payment session whose response was lost is created once', async () => {
    const before = world.stripe.test.intents.size
    world.stripe.fail({ lost: true, times: 4 })
    const ask = () => ada.ask('createPaymentIntent', { body: { amount: '30' }, key: 'lost' })
    await ask()
    await ask()
    expect((await ask()).status).toBe(201)
    expect(world.stripe.test.intents.size).toBe(before + 1)
  })
})

describe('a confirmation', () => {
  test('credits the amount that Stripe received, whatever the client sends', async () => {
    const bob = await world.user()
    const intent = await world.intent(bob, '50')
    expect(
      (await bob.ask('confirmDeposit', { body: { paymentIntentId: intent.id, amount: '50' } })).body
        .code,
    ).toBe('payment-not-succeeded')
    world.pay(intent)
    expect(
      await bob.call('confirmDeposit', { body: { paymentIntentId: intent.id, amount: '9999' } }),
    ).toMatchObject({ amount: '50.00', availableBalance: '50.00' })
  })

  test('a confirmation by another user finds nothing', async () => {
    const [bob, eve] = [await world.user(), await world.user()]
    const intent = await world.intent(bob, '50')
    world.pay(intent)
    expect((await eve.ask('confirmDeposit', { body: { paymentIntentId: intent.id } })).status).toBe(
      404,
    )
  })

  test('a confirmation is refused while Stripe is down; the sweep credits it later', async () => {
    const bob = await world.user()
    const intent = await world.intent(bob, '50')
    world.pay(intent)
    world.stripe.fail({ status: 503, times: 2 })
    expect(await bob.ask('confirmDeposit', { body: { paymentIntentId: intent.id } })).toMatchObject(
      { status: 503, body: { code: 'payment-provider-away' } },
    )
    await world.context.sql`update payment_intents set created_at = now() - interval '2 minutes'
        where id = ${intent.id}`
    await sweepDeposits(world.context)
    expect(await cashOf(bob)).toBe('50.00')
  })

  test.each<[string, object]>([
    ['another currency', { currency: 'eur' }],
    ['live money', { livemode: true }],
    ['another owner', { metadata: { user_id: '01890000-0000-7000-8000-000000000000' } }],
    ['no owner', { metadata: {} }],
    ['no known charge', { latest_charge: null }],
    ...valuesOf('resources/PaymentIntents.d.ts', {
      type: 'Status',
      after: 'declare namespace PaymentIntent {',
    })
      .filter((status) => status !== 'succeeded')
      .map((status): [string, object] => [`the status ${status}`, { status }]),
  ])('of a payment in %s credits nobody', async (_what, change) => {
    const bob = await world.user()
    const intent = await world.intent(bob, '50')
    world.pay(intent)
    Object.assign(intent, change)
    expect(await bob.ask('confirmDeposit', { body: { paymentIntentId: intent.id } })).toMatchObject(
      { status: 409, body: { code: 'payment-not-succeeded' } },
    )
    expect(await cashOf(bob)).toBe('0.00')
    Object.assign(intent, {
      currency: 'usd',
      livemode: false,
      metadata: { user_id: bob.id },
      status: 'canceled',
    })
  })
})

describe('without keys', () => {
  test('a live book refuses deposits and says that payments are being set up', async () => {
    const live = await createWorld({ config: { BOOK: 'live' } })
    const user = await live.user()
    expect(await user.ask('createPaymentIntent', { body: { amount: '20' } })).toMatchObject({
      status: 503,
      body: {
        code: 'payment-unavailable',
        message: 'Payment system is currently being configured; contact support',
      },
    })
    expect((await user.call('getConfig')).payments).toEqual({ provider: 'none' })
    await sweepDeposits(live.context)
    await live.close()
  })

  test('the card form of the sandbox is absent if Stripe takes the cards', async () => {
    const { clientSecret } = await ada.call('createPaymentIntent', { body: { amount: '20' } })
    const before = await cashOf(ada)
    expect(
      (await ada.ask('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })).status,
    ).toBe(404)
    expect(await cashOf(ada)).toBe(before)
  })

  test('the sandbox has no webhook', async () => {
    const sandbox = await createWorld()
    expect(await sendWebhook(sandbox, { body: '{}' })).toBe(404)
    await sandbox.close()
  })
})

describe('the webhook', () => {
  test('credits without any confirmation, even a payment whose row was never written', async () => {
    const bob = await world.user()
    const intent = await world.intent(bob, '75')
    await world.context.sql`delete from payment_intents where id = ${intent.id}`
    await world.heard(() => world.pay(intent))
    expect(await cashOf(bob)).toBe('75.00')
  })

  test('answers 200 to events of other kinds, unknown payments and other products', async () => {
    const event = world.stripe.test.events[0]
    if (event === undefined) throw new Error('no event')
    expect(await world.deliver({ ...event, type: 'customer.created' })).toBe(200)
    expect(
      await world.deliver({ ...event, type: 'payment_intent.succeeded', livemode: true }),
    ).toBe(200)
    const foreign = world.stripe.test.createIntent({
      amount: 5_000,
      currency: 'usd',
      metadata: { order: '7' },
      description: null,
    })
    const unknownUser = world.stripe.test.createIntent({
      amount: 5_000,
      currency: 'usd',
      metadata: { user_id: '01890000-0000-7000-8000-000000000000' },
      description: null,
    })
    await world.heard(() => [foreign, unknownUser].forEach((intent) => world.pay(intent)))
    expect(
      await world.context
        .sql`select from payment_intents where id in (${foreign.id}, ${unknownUser.id})`,
    ).toHaveLength(0)
  })

  test.each([
    { object: 'v2.core.event', type: 'v2.core.account.updated', livemode: false },
    { type: 'payment_intent.succeeded', livemode: false, data: { object: null } },
    { type: 'charge.dispute.created', livemode: false, data: null },
    { type: 'charge.refunded', livemode: false, data: { object: { payment_intent: {} } } },
    null,
    7,
  ])('answers 200 to %j, signed and without an object', async (body) => {
    expect(await sendWebhook(world, { body: JSON.stringify(body) })).toBe(200)
  })

  test('a changed body or a wrong signature is refused with 400', async () => {
    const bob = await world.user()
    const intent = await world.intent(bob, '60')
    world.pay(intent)
    const body = JSON.stringify(
      world.stripe.test.events.findLast(({ type }) => type === 'payment_intent.succeeded'),
    )
    const now = Math.floor(Date.now() / 1_000)
    const signed = (secret: string, atSeconds: number, of = body) =>
      signatureOf(of, { secret, atSeconds })
    const forged = {
      'a tampered body': signed(STRIPE_KEYS.webhook, now, body.replace('usd', 'eur')),
      'an old signature': signed(STRIPE_KEYS.webhook, now - 301),
      'a signature from the future': signed(STRIPE_KEYS.webhook, now + 360),
      'another secret': signed('whsec_other', now),
      'no signature': '',
      garbage: 't=1,v1=abc',
    }
    for (const [what, signature] of Object.entries(forged))
      expect([what, await sendWebhook(world, { body, signature })]).toEqual([what, 400])
    expect(
      await sendWebhook(world, { body: '', signature: signed(STRIPE_KEYS.webhook, now, '') }),
    ).toBe(400)
    expect(await sendWebhook(world, { body: 'x'.repeat(70_000) })).toBe(413)
    expect(await cashOf(bob)).toBe('0.00')
    expect(await sendWebhook(world, { body })).toBe(200)
    expect(await cashOf(bob)).toBe('60.00')
  })

  test('the webhook is the only route that other sites may call', async () => {
    const answer = await world.app.inject({
      method: 'POST',
      url: '/api/confirm-deposit',
      payload: {},
      headers: { cookie: ada.cookie },
    })
    expect(answer.statusCode).toBe(403)
  })

  test('a message whose processing fails is answered so that Stripe resends it', async () => {
    const bob = await world.user()
    const intent = await world.intent(bob, '65')
    world.pay(intent)
    const event = world.stripe.test.events.findLast(
      ({ type }) => type === 'payment_intent.succeeded',
    )
    if (event === undefined) throw new Error('no event')
    world.stripe.fail({ status: 500, times: 2 })
    expect(await world.deliver(event)).toBe(503)
    expect(await world.deliver(event)).toBe(200)
    expect(await cashOf(bob)).toBe('65.00')
  })
})

describe('the sweep', () => {
  const makeOld = (id: string, hours: number) =>
    world.context.sql`update payment_intents set created_at = now() - ${hours} * interval '1 hour'
        where id = ${id}`
  const statusOf = async (id: string) =>
    (
      await world.context.sql<
        { status: string }[]
      >`select status from payment_intents where id = ${id}`
    )[0]?.status

  test('cancels week-old unpaid payments, credits late ones, survives a failure', async () => {
    const bob = await world.user()
    const [young, old, paid, asking] = [
      await world.intent(bob, '11'),
      await world.intent(bob, '12'),
      await world.intent(bob, '13'),
      await world.intent(bob, '14'),
    ]
    for (const intent of [old, paid, asking]) await makeOld(intent.id, 169)
    await makeOld(young.id, 167)
    world.pay(paid)
    world.pay(asking, 'pm_card_authenticationRequired')
    await sweepDeposits(world.context)
    expect([young.status, old.status, asking.status]).toEqual([
      'requires_payment_method',
      'canceled',
      'canceled',
    ])
    expect(await Promise.all([young, old, paid, asking].map(({ id }) => statusOf(id)))).toEqual([
      'open',
      'abandoned',
      'succeeded',
      'abandoned',
    ])
    expect(await cashOf(bob)).toBe('13.00')
  })

  test('finds refunds and disputes without webhooks, and reads the events once', async () => {
    const [bob, eve] = [await world.user(), await world.user()]
    const [refunded, disputed] = [await world.intent(bob, '100'), await world.intent(eve, '100')]
    for (const [user, intent] of [
      [bob, refunded],
      [eve, disputed],
    ] as const) {
      world.pay(intent)
      await user.call('confirmDeposit', { body: { paymentIntentId: intent.id } })
    }
    world.stripe.test.refund(refunded, { amount: 2_500 })
    world.stripe.test.dispute(disputed)
    await sweepDeposits(world.context)
    expect([await cashOf(bob), await cashOf(eve)]).toEqual(['75.00', '0.00'])
    const [seen] = await world.context.sql<
      { seenUntil: Date }[]
    >`select seen_until from provider_events_seen`
    expect(seen?.seenUntil.getTime()).toBe((world.stripe.test.events.at(-1)?.created ?? 0) * 1_000)
  })

  test('polls Stripe about each open payment once per run', async () => {
    const bob = await world.user()
    const intent = await world.intent(bob, '11')
    await makeOld(intent.id, 1)
    const askedFor = () => world.stripe.asked.filter(({ path }) => path.endsWith(intent.id)).length
    await sweepDeposits(world.context)
    await sweepDeposits(world.context)
    expect(askedFor()).toBe(1)
  })
})

test('after all these deposits the book reconciles', async () => {
  expect(await reconcile(world.context)).toEqual([])
})
