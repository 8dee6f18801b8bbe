import { readConfig, type Config } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import { startStripe, STRIPE_KEYS, type StripeEmulator } from '../emulators/stripe.ts'
import type { PaymentIntent, StripeEvent } from '../emulators/stripe/objects.ts'
import { signatureOf } from '../emulators/stripe/webhooks.ts'
import { createWorld, type TestUser, type World } from '../world/world.ts'

export type StripeWorld = World & {
  stripe: StripeEmulator
  /** An intent of this user, made through the product and not yet paid. */
  intent: (user: TestUser, amount: string) => Promise<PaymentIntent>
  /** Pays like Stripe's card form, with a test payment method. */
  pay: (intent: PaymentIntent, paymentMethod?: string) => void
  /** Delivers all events of `happening`, in order; each must be answered with 200. */
  heard: (happening: () => void) => Promise<void>
  /** Delivers a signed event; returns the status. */
  deliver: (event: StripeEvent) => Promise<number>
}

/** The settings of a paper book whose cards go through the emulator. */
export const stripeSettings = (url: string) => ({
  STRIPE_SECRET_KEY: STRIPE_KEYS.test.secret,
  STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.test.publishable,
  STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhook,
  STRIPE_API_URL: url,
})

/** The whole product in this process with Stripe's client, real HTTP and the emulator behind it. */
export async function createStripeWorld({
  config = {},
  context = {},
}: { config?: Partial<Config>; context?: Partial<Context> } = {}): Promise<StripeWorld> {
  const stripe = await startStripe()
  const settings = readConfig({ SESSION_SECRET: 'x'.repeat(32), ...stripeSettings(stripe.url) })
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } =
    settings
  const world = await createWorld({
    config: {
      STRIPE_SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET,
      STRIPE_API_URL,
      INTENTS_PER_HOUR: 100_000,
      ...config,
    },
    context,
  })
  return Object.assign(world, {
    stripe,
    intent: async (user: TestUser, amount: string) => {
      const { paymentIntentId } = await user.call('createPaymentIntent', { body: { amount } })
      const intent = stripe.test.intents.get(paymentIntentId)
      if (intent === undefined) throw new Error('the emulator received no payment intent')
      return intent
    },
    pay: (intent: PaymentIntent, paymentMethod = 'pm_card_visa') =>
      void stripe.test.confirm(intent, { paymentMethod, returnUrl: null, ask: '' }),
    heard: async (happening: () => void) => {
      const from = stripe.test.events.length
      happening()
      for (const event of stripe.test.events.slice(from)) {
        const status = await sendWebhook(world, { body: JSON.stringify(event) })
        if (status !== 200) throw new Error(`${event.type} was answered with ${status}`)
      }
    },
    deliver: (event: StripeEvent) => sendWebhook(world, { body: JSON.stringify(event) }),
    close: closing(world, stripe),
  })
}

function closing(world: World, stripe: StripeEmulator): () => Promise<void> {
  const { close } = world
  return async () => {
    await close()
    await stripe.close()
  }
}

type Webhook = { body: string; signature?: string | undefined; headers?: Record<string, string> }

/**
 * Calls the webhook like another machine: without cookie or origin, with a fresh signature unless
 * `signature` is given.
 */
export async function sendWebhook(
  { app }: World,
  { body, signature, headers = {} }: Webhook,
): Promise<number> {
  const signed =
    signature ??
    signatureOf(body, { secret: STRIPE_KEYS.webhook, atSeconds: Math.floor(Date.now() / 1_000) })
  const answer = await app.inject({
    method: 'POST',
    url: '/api/webhooks/stripe',
    payload: body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signed,
      ...headers,
    },
  })
  return answer.statusCode
}
