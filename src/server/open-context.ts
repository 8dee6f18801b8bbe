import { existsSync } from 'node:fs'
import { assert } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { openCompute } from './compute/open-compute.ts'
import { costsOf, type Config } from './settings/config.ts'
import { pushContactOf } from './settings/settings.ts'
import type { Context } from './context.ts'
import type { OpenBook } from './db/book.ts'
import { sandboxPayments } from './deposits/payments-sandbox.ts'
import { stripePayments } from './deposits/payments-stripe.ts'
import { notifyEvents } from './events/events-notify.ts'
import { KeptEvidence } from './evidence/keep-evidence.ts'
import { keepRecord } from './record/keep-record.ts'
import { replaySampleBot } from './evidence/replay-sample-bot.ts'
import { storedNonces } from './exchange/nonces.ts'
import { EXCHANGES } from './exchange/open-exchange.ts'
import { openExchangeAccount } from './exchange/exchange-account.ts'
import { anthropicAssistant, openAiAssistant } from './help/assistant-model.ts'
import { openLibrary } from './help/library.ts'
import { newId } from './kernel/ids.ts'
import { readCandles } from './market/candle-file.ts'
import { openCandleArchive } from './market/candle-archive.ts'
import { openCandles } from './market/candle-cache.ts'
import { bookMarket } from './market/clock.ts'
import { answersWithin, liveFeed } from './market/feed-live.ts'
import { replayFeed } from './market/feed-replay.ts'
import { simulatedFeed } from './market/feed-simulated.ts'
import { recordedFiles } from './market/recorded-candles.ts'
import { openMarketView } from './market/market-view.ts'
import { smtpMail } from './notices/mail-smtp.ts'
import { webPushes } from './notices/push-web.ts'
import { httpsWebhooks } from './notices/webhook-https.ts'
import type { Assistant } from './ports/assistant.ts'
import type { Feed } from './ports/feed.ts'
import type { Mail } from './ports/mail.ts'
import type { Payments } from './ports/payments.ts'
import type { Payouts } from './ports/payouts.ts'
import type { Push } from './ports/push.ts'
import type { Venue } from './ports/venue.ts'
import { StartupError } from './kernel/errors.ts'
import { exchangeVenue } from './trading/venue-exchange.ts'
import { paperVenue } from './trading/venue-paper.ts'
import { rpcChain } from './wallets/chain-rpc.ts'
import { sandboxPayouts } from './withdrawals/payouts-sandbox.ts'
import { stripePayouts } from './withdrawals/payouts-stripe.ts'

type ContextParts = OpenBook & Pick<Context, 'config' | 'log'> & Partial<Context>

/** Opens the configured adapters; `given` parts replace them. */
export function openContext(given: ContextParts): Context {
  const { config, sql } = given
  const now = given.now ?? (() => new Date())
  const feed = given.feed ?? chooseFeed(config, now)
  const costs = given.costs ?? costsOf(config, feed.venue)
  const candles = openCandles(feed)
  const market = openMarketView(sql, { feed, candles, wallNow: now })
  const compute = given.compute ?? openCompute()
  const recorded = given.recorded ?? (() => recordedFiles(config.DATA_DIR))
  const evidence =
    given.evidence ??
    new KeptEvidence({
      feed,
      recorded,
      costs,
      holdFeeBps: config.HOLD_FEE_BPS,
      yieldBps: config.CASH_YIELD_BPS,
      now,
      log: given.log,
      compute,
    })
  return {
    reads: sql,
    events: notifyEvents(sql),
    now,
    newId,
    costs,
    speed: config.MARKET_SPEED ?? feed.defaultSpeed,
    feed,
    candles,
    market,
    compute,
    recorded,
    evidence,
    record: keepRecord({ sql, feed, candles, costs, compute, log: given.log, now }),
    // Without interest, because the sample has no room to name who pays it.
    sampleBot: replaySampleBot({
      config: { CASH_YIELD_BPS: 0 },
      candles,
      market,
      feed,
      costs,
      compute,
    }),
    payments: choosePayments(given, now),
    payouts: choosePayouts(given, now),
    venue: chooseVenue({ ...given, costs, now, feed }),
    help: openLibrary(config, { costs, evidence: () => evidence.now() }),
    assistant: chooseAssistant(config, now),
    chain: rpcChain(config.RPC_URLS ?? {}),
    mail: openMail(config),
    push: openPush(config),
    webhook: httpsWebhooks(),
    ...given,
  }
}

/**
 * The configured mail server. Without one, a paper book stores its messages, and a live book sends
 * none. `readConfig` has checked that both settings are present.
 */
export function openMail({
  BOOK,
  SMTP_URL: url,
  MAIL_FROM: from,
}: Pick<Config, 'BOOK' | 'SMTP_URL' | 'MAIL_FROM'>): Mail {
  if (url !== undefined && from !== undefined) return smtpMail({ url, from })
  // No email is sent: the message is read from its row in the outbox.
  return BOOK === 'live' ? { provider: 'none' } : { provider: 'mailbox', send: async () => 'sent' }
}

function openPush(config: Config): Push {
  const contact = pushContactOf(config)
  if (contact === undefined) return { publicKey: null, addressOf: () => undefined }
  return webPushes({ secret: config.SESSION_SECRET, contact })
}

/**
 * Paper in a paper book, an exchange in a live one. `readConfig` has refused other combinations.
 */
function chooseVenue({
  config,
  sql,
  atomically,
  log,
  costs,
  now: machine,
  feed,
}: ContextParts & Pick<Context, 'costs' | 'now' | 'feed'>): Venue {
  const { BOOK, EXCHANGE_API_KEY: apiKey, EXCHANGE_API_SECRET: secret } = config
  if (BOOK === 'paper') return paperVenue(costs)
  // Uses the exchange's clock for orders' deadlines, because a machine whose clock is seconds off
  // would miss all of them.
  const now = () => (feed.live ? new Date(feed.live.nowMs()) : machine())
  const account = openExchangeAccount(
    { ...exchangeAccess(config), apiKey, secret },
    { now, nonces: storedNonces({ sql, now }) },
  )
  return exchangeVenue({
    name: EXCHANGES[config.EXCHANGE],
    sql,
    atomically,
    account,
    costs,
    now,
    log,
  })
}

/** 'auto' is the sandbox in a paper book, and an operator with a bank file in a live one. */
function choosePayouts({ config, log }: ContextParts, now: () => Date): Payouts {
  const {
    BOOK,
    PAYOUTS,
    PAYOUT_DELAY_MS,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_API_URL: apiUrl,
    STRIPE_FINANCIAL_ACCOUNT: financialAccount,
  } = config
  if (PAYOUTS === 'stripe' && secretKey !== undefined && financialAccount !== undefined)
    return stripePayouts({ secretKey, apiUrl, financialAccount, log, now })
  return PAYOUTS === 'bank-file' || (PAYOUTS === 'auto' && BOOK === 'live')
    ? { provider: 'bank-file', approvesAfterMs: undefined }
    : sandboxPayouts({ delayMs: PAYOUT_DELAY_MS, now })
}

/**
 * Stripe if its keys are configured; else the sandbox in a paper book, and none in a live one.
 * `readConfig` has checked that no key is missing.
 */
function choosePayments({ config, sql, log }: ContextParts, now: () => Date): Payments {
  const {
    BOOK,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: apiUrl,
  } = config
  if (secretKey !== undefined && publishableKey !== undefined && webhookSecret !== undefined) {
    return stripePayments({
      secretKey,
      publishableKey,
      webhookSecret,
      apiUrl,
      livemode: BOOK === 'live',
      log,
    })
  }
  if (BOOK === 'paper') return sandboxPayments({ sql, now })
  return {
    provider: 'none',
    createIntent: () => Promise.reject(new Refusal('payment-unavailable')),
    retrieveIntent: async () => undefined,
  }
}

const PROBE_MS = 3_000

/**
 * The configured feed. 'auto': an existing book stays on its market, a live book is live, and a new
 * paper book is live if an exchange answers, otherwise simulated.
 */
export async function openFeed({
  config,
  sql,
  log,
  now = () => new Date(),
}: Pick<ContextParts, 'config' | 'sql' | 'log' | 'now'>): Promise<Feed> {
  const followed = await bookMarket(sql)
  const isAuto = config.MARKET_FEED === 'auto'
  const access = exchangeAccess(config)
  const isLive =
    config.MARKET_FEED === 'live' || config.BOOK === 'live' || (isAuto && followed === 'live')
  if (isLive || (isAuto && followed === undefined && (await answersWithin(access, PROBE_MS)))) {
    const recorded = (pair: Pair) => recordedOf(pair, { config, log, now })
    return liveFeed({
      access,
      isPaper: config.BOOK === 'paper',
      store: await openCandleArchive(sql, log),
      log,
      now,
      recorded,
    })
  }
  if (isAuto && followed === undefined)
    log.info(`${config.EXCHANGE} does not answer: this book follows the simulated market`)
  return chooseFeed(
    isAuto && followed === 'replay' ? { ...config, MARKET_FEED: 'replay' } : config,
    now,
  )
}

/**
 * Candles of years that the exchange does not provide. Trading works without them, so an unusable
 * file is only logged.
 */
function recordedOf(
  pair: Pair,
  { config, log, now }: Pick<Context, 'config' | 'log' | 'now'>,
): CandleSeries | undefined {
  try {
    return readCandles(config.MARKET_DATA_DIR, { pair, untilMs: now().getTime() })
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    log.warn(error.message)
    return undefined
  }
}

type ExchangeSettings = Pick<Config, 'EXCHANGE' | 'EXCHANGE_REST_URL' | 'EXCHANGE_WS_URL'>

/** Public access to the configured exchange, without keys. */
export const exchangeAccess = ({
  EXCHANGE,
  EXCHANGE_REST_URL,
  EXCHANGE_WS_URL,
}: ExchangeSettings) => ({ name: EXCHANGE, restUrl: EXCHANGE_REST_URL, wsUrl: EXCHANGE_WS_URL })

/** The feed, without looking at database or network; 'auto' becomes the simulated market. */
function chooseFeed(
  { EXCHANGE, MARKET_FEED, MARKET_SEED, MARKET_DATA_DIR, MARKET_START }: Config,
  now: () => Date,
): Feed {
  assert(MARKET_FEED !== 'live', 'a live market is opened by openFeed')
  const startMs = MARKET_START === undefined ? undefined : Date.parse(MARKET_START)
  if (MARKET_FEED !== 'replay')
    return simulatedFeed({ seed: MARKET_SEED, venue: EXCHANGE, startMs })
  if (!existsSync(MARKET_DATA_DIR))
    throw new StartupError(
      `MARKET_DATA_DIR ${MARKET_DATA_DIR} does not exist: MARKET_FEED=replay needs recorded ` +
        'candles.',
    )
  return replayFeed({
    directory: MARKET_DATA_DIR,
    startMs,
    nowMs: now().getTime(),
  })
}

/**
 * The configured model, otherwise help search only. `readConfig` has checked that the settings are
 * complete.
 */
function chooseAssistant(config: Config, now: () => Date): Assistant {
  const {
    AI_PROVIDER,
    AI_MODEL: model = '',
    AI_BASE_URL: baseUrl,
    AI_API_KEY: apiKey,
    AI_SILENCE_MS: silenceMs,
  } = config
  if (AI_PROVIDER === 'openai-compatible' && baseUrl !== undefined)
    return openAiAssistant({ model, baseUrl, apiKey, silenceMs, now })
  if (AI_PROVIDER === 'anthropic' && apiKey !== undefined)
    return anthropicAssistant({ model, baseUrl, apiKey, silenceMs, now })
  return { badge: 'Help search' }
}
