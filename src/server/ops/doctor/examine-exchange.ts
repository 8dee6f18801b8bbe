import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import type { Pair } from '#core/market/pair.ts'
import { maximum, type Units } from '#core/money/amount.ts'
import { moneyText } from '#core/money/text.ts'
import { valueCeil } from '#core/money/rounding.ts'
import { costsOf } from '#server/settings/config.ts'
import { marketSource, type MarketSource, measureSkew } from '#server/exchange/market-source.ts'
import type { Nonces } from '#server/exchange/nonces.ts'
import { EXCHANGES } from '#server/exchange/open-exchange.ts'
import { openExchangeAccount, type Limits } from '#server/exchange/exchange-account.ts'
import { exchangeAccess } from '#server/open-context.ts'
import type { Settings } from '#server/settings/settings.ts'
import { missing, ok, reasonOf, wrong, type Finding } from './finding.ts'

type ExchangeInput = { settings: Settings; now: () => Date; nonces: Nonces }

/**
 * Exchanges report whole seconds, and refuse an order that arrives a few seconds after it was made.
 */
const MOST_SKEW_MS = 2_000

export async function examineExchange({
  settings,
  now,
  nonces,
}: ExchangeInput): Promise<Finding[]> {
  const { BOOK, MARKET_FEED, EXCHANGE } = settings
  if (BOOK === 'paper' && MARKET_FEED !== 'live')
    return [
      ok('exchange', `not needed: a paper book may follow MARKET_FEED=${MARKET_FEED} without it`),
    ]
  const source = marketSource(exchangeAccess(settings))
  try {
    const clock = await examineClock(source, now)
    const pairs = await source.load()
    const reached = ok(
      'exchange',
      `${EXCHANGES[EXCHANGE]} answers and trades ${pairs.length} of our pairs`,
    )
    return [
      reached,
      clock,
      ...(BOOK === 'live' ? await examineOrders({ settings, now, nonces }, { source, pairs }) : []),
    ]
  } catch (error) {
    return [
      wrong(
        'exchange',
        `${EXCHANGES[EXCHANGE]} does not answer: check the network and EXCHANGE_REST_URL ` +
          `(${reasonOf(error)})`,
      ),
    ]
  }
}

async function examineClock(source: MarketSource, now: () => Date): Promise<Finding> {
  const skewMs = await measureSkew(source, now)
  const seconds = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s`
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return ok('clock', `within ${seconds} of the exchange's`)
  return wrong(
    'clock',
    `this machine is ${seconds} ${skewMs > 0 ? 'behind' : 'ahead of'} the exchange, which ` +
      'refuses late orders: synchronize its clock by NTP',
  )
}

type Market = { source: MarketSource; pairs: readonly Pair[] }

async function examineOrders(
  { settings, now, nonces }: ExchangeInput,
  { source, pairs }: Market,
): Promise<Finding[]> {
  const { EXCHANGE_API_KEY: apiKey, EXCHANGE_API_SECRET: secret } = settings
  const account = openExchangeAccount(
    { ...exchangeAccess(settings), apiKey, secret },
    { now, nonces },
  )
  const limits = new Map<Pair, Limits>()
  for (const pair of pairs) limits.set(pair, await account.limits(pair))
  const fee = examineFee(
    settings,
    Math.max(0, ...[...limits.values()].map(({ takerFeeBps }) => takerFeeBps)),
  )
  const smallest = examineSmallest(limits, await source.prices(pairs))
  if (apiKey === undefined || secret === undefined)
    return [
      missing('account', 'an exchange account needs EXCHANGE_API_KEY and EXCHANGE_API_SECRET'),
      fee,
      smallest,
    ]
  const balances = await account.balances().then(
    (held) =>
      ok(
        'account',
        `the key works: ${moneyText({ amount: held.get('USD') ?? 0n })} and ` +
          `${[...held].filter(([asset, amount]) => asset !== 'USD' && amount > 0n).length} ` +
          'coins lie there',
      ),
    (error: unknown) =>
      wrong(
        'account',
        'the exchange refuses the key: it needs permission to read balances and orders and to ' +
          `trade, but not to withdraw (${reasonOf(error)})`,
      ),
  )
  return [balances, fee, smallest]
}

function examineFee(settings: Settings, takerFeeBps: number): Finding {
  const { feeBps: expected } = costsOf(settings, settings.EXCHANGE)
  if (takerFeeBps <= expected)
    return ok(
      'fee',
      `the exchange charges at most ${takerFeeBps} basis points, bots expect ${expected}`,
    )
  return wrong(
    'fee',
    `the exchange charges up to ${takerFeeBps} basis points and bots expect ${expected}: no ` +
      `order is sent until TRADING_FEE_BPS is ${takerFeeBps}`,
  )
}

/** A smaller order is not refused: it waits until other bots trade the same. */
function examineSmallest(
  limits: ReadonlyMap<Pair, Limits>,
  prices: ReadonlyMap<Pair, Units>,
): Finding {
  const least = [...limits].map(([pair, { minimumCost, minimumQuantity }]) => {
    const worth = maximum(
      minimumCost,
      valueCeil({ quantity: minimumQuantity, price: prices.get(pair) ?? 0n }),
    )
    return { pair, worth }
  })
  const [dearest] = least.toSorted((a, b) => (a.worth > b.worth ? -1 : 1))
  if (dearest === undefined) return wrong('smallest order', 'the exchange trades none of our pairs')
  const told = `at most ${moneyText({ amount: dearest.worth })} (${dearest.pair})`
  if (dearest.worth <= MINIMUM_INVESTMENT)
    return ok('smallest order', `${told}, no more than the least investment`)
  const count = least.filter(({ worth }) => worth > MINIMUM_INVESTMENT).length
  return ok(
    'smallest order',
    `${told}; on ${count} pairs more than the least investment of ` +
      `${moneyText({ amount: MINIMUM_INVESTMENT })}: the smallest bots wait there until others ` +
      'trade with them',
  )
}
