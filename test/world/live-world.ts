import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { HOUR_MS } from '#core/market/candle.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { readConfig } from '#server/settings/config.ts'
import { checkBook } from '#server/db/check-book.ts'
import { openExchange } from '#server/exchange/open-exchange.ts'
import { runJobs } from '#server/jobs/run-jobs.ts'
import { openContext, openFeed } from '#server/open-context.ts'
import { runEngine } from '#server/trading/lead.ts'
import { createTestDatabase } from './database.ts'
import type { AccountSettings } from '../emulators/exchange-dialect.ts'
import { startExchange, type Exchange } from '../emulators/exchange.ts'
import { orderSide, type OrderSide } from '../emulators/exchange-orders.ts'
import type { ExchangeName } from '../emulators/exchange-state.ts'
import { KEYS } from '../emulators/orders/keys.ts'
import { startStripe, STRIPE_KEYS, type StripeEmulator } from '../emulators/stripe.ts'
import { signatureOf } from '../emulators/stripe/webhooks.ts'
import { until } from '../faults/processes.ts'
import { rising, risenPrice } from '../feed/candles.ts'
import { pastRules } from './past-rules.ts'
import { openWorld, type TestUser, type World } from './world.ts'

/** The operator's dollars at the exchange before the first deposit. */
export const FUNDS = '50000'

/**
 * The product with a live book. As far as it can tell the money is real, but every provider is an
 * emulator behind a socket.
 */
export type LiveBook = {
  world: World
  stripe: StripeEmulator
  exchange: Exchange
  orders: OrderSide
  /**
   * Pays by card, as the card form in a browser does, and delivers the webhooks. Returns the
   * payment's id.
   */
  deposit: (user: TestUser, amount: string) => Promise<string>
  /** Delivers all pending webhooks of Stripe over HTTP. */
  deliverNews: () => Promise<void>
  /** Advances the shared clock by hours, in which the exchange's prices rise. */
  pass: (hours: number) => Promise<void>
  /** Stops the engine and the jobs. */
  rest: () => Promise<void>
  close: () => Promise<void>
}

/** The environment of a live book, as an operator sets it. */
export function liveEnvironment({
  stripe,
  exchange,
}: Pick<LiveBook, 'stripe' | 'exchange'>): Record<string, string> {
  return {
    BOOK: 'live',
    SESSION_SECRET: 'x'.repeat(32),
    DATA_DIR: join(tmpdir(), `live-book-data-${process.pid}-${exchange.name}`),
    PUBLIC_URL: 'https://bots.example',
    TRUST_PROXY: '1',
    SUPPORT: 'help@bots-operator.com',
    OPERATOR_LICENCE: 'Licence 1 of the emulated authority',
    OPERATOR_POOLING: 'acknowledged',
    MARKET_DATA_DIR: '/nonexistent',
    STRIPE_SECRET_KEY: STRIPE_KEYS.live.secret,
    STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.live.publishable,
    STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhook,
    STRIPE_API_URL: stripe.url,
    EXCHANGE: exchange.name,
    EXCHANGE_API_KEY: KEYS[exchange.name].key,
    EXCHANGE_API_SECRET: KEYS[exchange.name].secret,
    EXCHANGE_REST_URL: exchange.restUrl,
    EXCHANGE_WS_URL: exchange.wsUrl,
    PASSWORD_MINIMUM: '12',
    PROVIDER_ADDRESSES: 'unofficial',
    PAYOUTS: 'bank-file',
    PAYOUT_BANK_ROUTING: '121000248',
    PAYOUT_COMPANY_ID: '1234567890',
    PAYOUT_COMPANY_NAME: 'Trading Bot',
  }
}

const TRADED: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'BNB/USDT']

export type Providers = Pick<LiveBook, 'stripe' | 'exchange' | 'orders'>

/**
 * An exchange whose markets rose for a month, our account there, and Stripe, all on one clock. Only
 * three markets, because a client requests the candles of each in turn, a second apart.
 */
export async function startProviders(
  name: ExchangeName = 'kraken',
  settings: AccountSettings = {},
): Promise<Providers> {
  const exchange = await startExchange({ name })
  for (const [id, { symbol }] of exchange.markets)
    if (!TRADED.some((pair) => symbol.startsWith(`${baseOf(pair)}/`))) exchange.markets.delete(id)
  exchange.market.faults.candles = rising(exchange.clock.nowMs())
  const balances = { [exchange.money]: FUNDS }
  const orders = orderSide(exchange, { ...KEYS[name], balances, ...settings })
  exchange.add(orders)
  const stripe = await startStripe({ now: () => new Date(exchange.clock.nowMs()) })
  return { stripe, exchange, orders }
}

/** Switches the account at Binance to fees in BNB, as its owner can at any time. */
export async function payFeesFromBnb({ restUrl, name, clock }: Exchange): Promise<void> {
  const { key: apiKey, secret } = KEYS[name]
  const client = await openExchange({ name, restUrl, apiKey, secret })
  client.milliseconds = () => Math.floor(clock.nowMs())
  await client.request('bnbBurn', 'sapi', 'POST', { spotBNBBurn: 'true' })
}

/**
 * All adapters are chosen by the configuration; only the clock is replaced by the exchange's,
 * because three days have to pass.
 */
export async function createLiveBook(name: ExchangeName): Promise<LiveBook> {
  const providers = await startProviders(name)
  const { stripe, exchange } = providers
  // Off, because holds end by the database's clock, which this test does not set.
  const config = readConfig({ ...liveEnvironment(providers), WITHDRAWAL_HOLD_HOURS: '0' })
  const { sql, drop } = await createTestDatabase()
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const now = () => new Date(exchange.clock.nowMs())
  const context = openContext({
    ...(await checkBook(sql, config)),
    config,
    log,
    now,
    feed: await openFeed({ config, sql, log, now }),
  })
  const world = await openWorld(context, drop)
  const address = await world.app.listen({ host: '127.0.0.1', port: 0 })
  const ended = new AbortController()
  const trading = setInterval(exchange.market.tradeAll, TRADES_EVERY_MS)
  const background = [
    context.feed.live?.follow(ended.signal),
    runEngine(context, world.engine, {
      speed: context.speed,
      signal: ended.signal,
      woken: () => delay(PULSE_MS),
    }),
    runJobs(context, ended.signal),
  ]
  const deliverNews = newsFrom(stripe, address)
  await marketsOpen(world)
  return {
    ...providers,
    world,
    deliverNews,
    deposit: async (user, amount) => {
      const { clientSecret, paymentIntentId } = await user.call('createPaymentIntent', {
        body: { amount },
      })
      await payByCard(stripe, { clientSecret, paymentIntentId })
      await deliverNews()
      return paymentIntentId
    },
    pass: async (hours) => {
      exchange.clock.jumpBy(hours * HOUR_MS)
      // A hold ends by the database's clock.
      await pastRules(
        world.context.sql,
        (tx) =>
          tx`update payment_intents set credited_at = credited_at - ${hours} * interval '1 hour'`,
      )
      for (const market of exchange.markets.values())
        exchange.market.trade(market.symbol, risenPrice(market, hours))
      await marketsOpen(world)
    },
    rest: async () => {
      ended.abort()
      await Promise.all(background)
    },
    close: async () => {
      ended.abort()
      clearInterval(trading)
      await Promise.all(background)
      await world.close()
      await Promise.all([exchange.close(), stripe.close()])
    },
  }
}

const TRADES_EVERY_MS = 500
const PULSE_MS = 100
const OPENING_MS = 40_000

async function marketsOpen({ context }: World): Promise<void> {
  const closed = () => TRADED.filter((pair) => context.feed.live?.isOpen(pair) !== true)
  await until(() => closed().length === 0, {
    timeoutMs: OPENING_MS,
    complaint: () => `${closed().join()} do not trade`,
  })
}

/** Uses the publishable key and the intent's client secret, as a browser would. */
async function payByCard(
  { url }: StripeEmulator,
  { clientSecret, paymentIntentId }: { clientSecret: string; paymentIntentId: string },
): Promise<void> {
  const body = new URLSearchParams({
    key: STRIPE_KEYS.live.publishable,
    client_secret: clientSecret,
    payment_method: 'pm_card_visa',
  })
  const answer = await fetch(`${url}/v1/payment_intents/${paymentIntentId}/confirm`, {
    method: 'POST',
    body,
  })
  if (!answer.ok) throw new Error(`the card was refused: ${await answer.text()}`)
}

/** Delivers each new event once, in order and signed; each must be answered with 200. */
function newsFrom({ live }: StripeEmulator, address: string): () => Promise<void> {
  let told = 0
  return async () => {
    for (const event of live.events.slice(told)) {
      const body = JSON.stringify(event)
      const signature = signatureOf(body, {
        secret: STRIPE_KEYS.webhook,
        atSeconds: Math.floor(Date.now() / 1_000),
      })
      const headers = {
        'content-type': 'application/json',
        'stripe-signature': signature,
        'x-forwarded-host': 'bots.example',
      }
      const answer = await fetch(`${address}/api/webhooks/stripe`, {
        method: 'POST',
        body,
        headers,
      })
      if (answer.status !== 200) throw new Error(`${event.type} was answered with ${answer.status}`)
      told += 1
    }
  }
}
