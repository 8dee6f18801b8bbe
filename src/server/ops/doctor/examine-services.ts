import { randomUUID } from 'node:crypto'
import { required } from '#core/assert.ts'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import type { Pair } from '#core/market/pair.ts'
import { maximum, ONE, type Units } from '#core/money/amount.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { multiplyDivideCeil, valueCeil } from '#core/money/rounding.ts'
import { costsOf } from '#server/settings/config.ts'
import { marketSource, measureSkew } from '#server/exchange/market-source.ts'
import type { Nonces } from '#server/exchange/nonces.ts'
import { EXCHANGES, QUOTES, type ExchangeName } from '#server/exchange/open-exchange.ts'
import {
  openExchangeAccount,
  type ExchangeAccount,
  type MarketLimits,
} from '#server/exchange/exchange-account.ts'
import { exchangeAccess, openMail } from '#server/open-context.ts'
import { pushContactOf, type Settings } from '#server/settings/settings.ts'
import { openStripe, settlementFault } from '#server/stripe/open-stripe.ts'
import { missing, named, ok, reasonOf, wrong, type Finding, type Verdict } from './finding.ts'

const STRIPE_FAULTS: Record<string, string> = {
  StripeAuthenticationError: 'Stripe rejects STRIPE_SECRET_KEY: copy it again',
  StripePermissionError:
    'STRIPE_SECRET_KEY may not read payments: grant it write access to payment intents and ' +
    'read access to balances, charges, disputes and events',
  StripeConnectionError: 'Stripe does not answer: check the network and STRIPE_API_URL',
}

export async function examineStripe({
  BOOK,
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_API_URL: apiUrl,
}: Settings): Promise<Verdict> {
  if (secretKey === undefined)
    return BOOK === 'paper'
      ? ok('not configured: cards use the sandbox')
      : missing(
          'there are no keys: until then, users see that the payment system is being configured',
        )
  try {
    const stripe = await openStripe({ secretKey, apiUrl })()
    await stripe.paymentIntents.list({ limit: 1 })
    const fault = await settlementFault(stripe)
    return fault === undefined ? ok('Stripe accepts the key, and settles in USD') : wrong(fault)
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? String(error.type) : 'an unknown error'
    return wrong(STRIPE_FAULTS[type] ?? `Stripe answers with ${type}: try again later`)
  }
}

export function examinePush(settings: Settings): Verdict {
  const contact = pushContactOf(settings)
  if (contact !== undefined) return ok(`push services reach you at ${contact}`)
  const remedy =
    'set SUPPORT or SECURITY_CONTACT to an address on the public internet, which push services ' +
    'require'
  return settings.BOOK === 'paper'
    ? ok(`not offered: ${remedy}`)
    : missing(`users are offered none: ${remedy}`)
}

export async function examineMail(settings: Settings): Promise<Verdict> {
  const { BOOK, MAIL_FROM, PUBLIC_URL } = settings
  const mail = openMail(settings)
  if (mail.provider === 'mailbox')
    return ok('none is sent: npm run ops -- mail shows the messages of this paper book')
  if (mail.provider === 'none')
    return missing(
      'nobody can verify an address or set a new password by mail: set SMTP_URL and MAIL_FROM',
    )
  try {
    await mail.verify?.()
    return BOOK === 'paper' && PUBLIC_URL === undefined
      ? wrong('the mail server accepts us, but links in messages lead to localhost: set PUBLIC_URL')
      : ok(`the mail server accepts us; messages come from ${MAIL_FROM}`)
  } catch (error) {
    return wrong(`the mail server does not accept us: check SMTP_URL (${reasonOf(error)})`)
  } finally {
    mail.close?.()
  }
}

type ExchangeInput = { settings: Settings; now: () => Date; nonces: Nonces }

export async function examineExchange(input: ExchangeInput): Promise<Finding[]> {
  const { BOOK, MARKET_FEED, EXCHANGE } = input.settings
  if (BOOK === 'paper' && MARKET_FEED !== 'live')
    return named({
      exchange: ok(`not needed: a paper book may follow MARKET_FEED=${MARKET_FEED} without it`),
    })
  const source = marketSource(exchangeAccess(input.settings))
  try {
    const skewMs = await measureSkew(source, input.now)
    const clock = clockVerdict(skewMs)
    const now = () => new Date(input.now().getTime() + skewMs)
    const pairs = await source.load()
    const exchange = ok(`${EXCHANGES[EXCHANGE]} answers and trades ${pairs.length} of our pairs`)
    const orders =
      BOOK === 'live' && (await examineOrders({ ...input, now }, pairs, () => source.prices(pairs)))
    return named({ exchange, clock, ...orders })
  } catch (error) {
    const advice = `check the network and EXCHANGE_REST_URL (${reasonOf(error)})`
    return named({ exchange: wrong(`${EXCHANGES[EXCHANGE]} does not answer: ${advice}`) })
  }
}

/**
 * Exchanges report whole seconds, and refuse an order that arrives a few seconds after it was made.
 */
const MOST_SKEW_MS = 2_000

function clockVerdict(skewMs: number): Verdict {
  const seconds = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s`
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return ok(`within ${seconds} of the exchange's`)
  return wrong(
    `this machine is ${seconds} ${skewMs > 0 ? 'behind' : 'ahead of'} the exchange, which ` +
      'refuses late orders: synchronize its clock by NTP',
  )
}

async function examineOrders(
  { settings, now, nonces }: ExchangeInput,
  pairs: readonly Pair[],
  readPrices: () => Promise<ReadonlyMap<Pair, Units>>,
): Promise<Record<string, Verdict>> {
  const { EXCHANGE_API_KEY: apiKey, EXCHANGE_API_SECRET: secret } = settings
  const access = { ...exchangeAccess(settings), apiKey, secret }
  const account = openExchangeAccount(access, { now, nonces })
  const limits = new Map<Pair, MarketLimits>()
  try {
    for (const pair of pairs) {
      const found = await account.limits(pair)
      if (found) limits.set(pair, found)
    }
  } catch (error) {
    // Needs the key, because Coinbase shows an account's fees, and so its markets, only to the
    // owner of the key.
    const signed = await examineAccount(account)
    if (signed.state === 'ok') throw error
    return { account: signed }
  }
  const other = pairs.filter((pair) => !limits.has(pair))
  const prices = await readPrices()
  const markets = {
    money: moneyVerdict(settings.EXCHANGE, other),
    fee: feeVerdict(settings, [...limits.values()]),
    'smallest order': smallestVerdict(limits, prices),
  }
  if (apiKey === undefined || secret === undefined) {
    const keys = 'an exchange account needs EXCHANGE_API_KEY and EXCHANGE_API_SECRET'
    return { account: missing(keys), ...markets }
  }
  const signed = await examineAccount(account)
  const order = signed.state === 'ok' && {
    order: await examineOrder(account, { limits, prices, now }),
  }
  return { account: signed, ...order, ...markets }
}

function moneyVerdict(exchange: ExchangeName, other: readonly Pair[]): Verdict {
  const [money] = QUOTES[exchange]
  return other.length === 0
    ? ok(`all pairs are paid for in ${money}`)
    : wrong(
        `${other.join(', ')} are not traded for ${money}, the only money of the book there: bots ` +
          'never buy them',
      )
}

async function examineAccount(account: ExchangeAccount): Promise<Verdict> {
  try {
    const { balances, faults } = await account.read()
    return faults.length === 0 ? accountVerdict(balances) : wrong(faults.join('; '))
  } catch (error) {
    return wrong(
      'the exchange refuses the key: it needs permission to read balances and orders and to ' +
        `trade, but not to withdraw (${reasonOf(error)})`,
    )
  }
}

type Markets = {
  limits: ReadonlyMap<Pair, MarketLimits>
  prices: ReadonlyMap<Pair, Units>
  now: () => Date
}

/** The exchange checks the smallest purchase of the first open pair, and places nothing. */
async function examineOrder(
  account: ExchangeAccount,
  { limits, prices, now }: Markets,
): Promise<Verdict> {
  const [first] = [...limits].filter(([, { isOpen }]) => isOpen)
  if (!first) return wrong('no market takes orders now: try again later')
  const [pair, { minimumQuantity, minimumCost, step, priceStep }] = first
  const limit = required(prices.get(pair), 'a price')
  const least = maximum(
    minimumQuantity,
    multiplyDivideCeil({ a: minimumCost, b: ONE, divisor: limit }),
  )
  const order = {
    id: randomUUID(),
    pair,
    side: 'buy',
    quantity: least + step - (least % step),
    limit: limit - (limit % priceStep),
    sentAt: now(),
  } as const
  try {
    await account.check(order)
    return ok(`the exchange would take an order for ${pair}`)
  } catch (error) {
    return wrong(`the exchange refuses an order for ${pair}: ${reasonOf(error)}`)
  }
}

function accountVerdict(held: ReadonlyMap<string, Units>): Verdict {
  const coins = [...held].filter(([asset, amount]) => asset !== 'USD' && amount > 0n).length
  return ok(
    `the key works: ${englishMoneyText({ amount: held.get('USD') ?? 0n })} and ${coins} coins lie there`,
  )
}

function feeVerdict(settings: Settings, limits: readonly MarketLimits[]): Verdict {
  const { feeBps: expected } = costsOf(settings, settings.EXCHANGE)
  const charged = Math.max(0, ...limits.map(({ takerFeeBps }) => takerFeeBps))
  return charged <= expected
    ? ok(`the exchange charges at most ${charged} basis points, bots expect ${expected}`)
    : wrong(
        `the exchange charges up to ${charged} basis points and bots expect ${expected}: no ` +
          `order is sent until TRADING_FEE_BPS is ${charged}`,
      )
}

/** Orders below the minimum are not refused; they wait until other bots trade the same pair. */
function smallestVerdict(
  limits: ReadonlyMap<Pair, MarketLimits>,
  prices: ReadonlyMap<Pair, Units>,
): Verdict {
  const least = [...limits].map(([pair, { minimumCost, minimumQuantity: quantity }]) => ({
    pair,
    worth: maximum(minimumCost, valueCeil({ quantity, price: prices.get(pair) ?? 0n })),
  }))
  const [dearest] = least.toSorted((a, b) => (a.worth > b.worth ? -1 : 1))
  if (dearest === undefined) return wrong('the exchange trades none of our pairs')
  const told = `at most ${englishMoneyText({ amount: dearest.worth })} (${dearest.pair})`
  const count = least.filter(({ worth }) => worth > MINIMUM_INVESTMENT).length
  return ok(
    count === 0
      ? `${told}, no more than the least investment`
      : `${told}; on ${count} pairs more than the least investment of ` +
          `${englishMoneyText({ amount: MINIMUM_INVESTMENT })}: the smallest bots wait there ` +
          'until others trade with them',
  )
}
