import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { readConfig } from '#server/settings/config.ts'
import { storedNonces } from '#server/exchange/nonces.ts'
import { EXCHANGES } from '#server/exchange/open-exchange.ts'
import { openExchangeAccount, type ExchangeAccount } from '#server/exchange/exchange-account.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { openContext } from '#server/open-context.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { venueCommand } from '#server/ops/orders-command.ts'
import type { BlockOrder, Venue } from '#server/ports/venue.ts'
import { compareVenue } from '#server/trading/check-venue.ts'
import { exchangeVenue } from '#server/trading/venue-exchange.ts'
import { createTestBook } from './database.ts'
import type { AccountSettings } from '../emulators/exchange-dialect.ts'
import { startExchange, type Exchange } from '../emulators/exchange.ts'
import type { ExchangeName } from '../emulators/exchange-state.ts'
import { KEYS } from '../emulators/orders/keys.ts'
import { orderSide, type OrderSide } from '../emulators/exchange-orders.ts'
import type { Limits } from '../emulators/kraken/counters.ts'
import { signInAs } from './operators.ts'
import { openWorld, SETTINGS, type World } from './world.ts'

const FUNDS = '1000000.0000'
/** Market time at which every floor begins: the trends of most pairs are up. */
const START_MS = Date.UTC(2026, 9, 17, 12)
/**
 * The maximum fee of the emulated exchange, and how much worse than the last price an order may be
 * filled.
 */
export const COSTS = { feeBps: 40, halfSpreadBps: 2, slippageBps: 25 }

/** High rate limits, because market hours pass here in milliseconds. */
const PATIENT: Limits = {
  calls: { most: 1_000_000, decayPerSecond: 1_000 },
  orders: { most: 1_000_000, decayPerSecond: 1_000 },
}

export type Floor = {
  world: World
  exchange: Exchange
  orders: OrderSide
  account: ExchangeAccount
  hour: () => Promise<void>
}

/**
 * The product on the simulated market. Its orders go over a socket to the emulated exchange, which
 * trades at the same prices.
 */
type FloorOptions = {
  name?: ExchangeName
  wrap?: (account: ExchangeAccount) => ExchangeAccount
  afterFill?: (venue: Venue) => Venue
  settings?: AccountSettings
}

export async function openFloor({
  name = 'kraken',
  wrap = (account) => account,
  afterFill = (venue) => venue,
  settings = {},
}: FloorOptions = {}): Promise<Floor> {
  const exchange = await startExchange({ name })
  const balances = { [exchange.money]: FUNDS }
  const orders = orderSide(exchange, { ...KEYS[name], balances, limits: PATIENT, ...settings })
  exchange.add(orders)
  const { drop, ...book } = await createTestBook()
  const { sql } = book
  const now = () => new Date(exchange.clock.nowMs())
  const access = {
    name,
    restUrl: exchange.restUrl,
    wsUrl: exchange.wsUrl,
    apiKey: KEYS[name].key,
    secret: KEYS[name].secret,
    rateLimitMs: 1,
  }
  const account = wrap(openExchangeAccount(access, { now, nonces: storedNonces({ sql, now }) }))
  const real = afterFill(
    exchangeVenue({
      ...book,
      name: EXCHANGES[name],
      account,
      costs: COSTS,
      now,
      log: pino({ level: 'silent' }),
      lookPauseMs: 5,
    }),
  )
  const venue: Venue = {
    ...real,
    execute: (order, lead) => {
      quote(exchange, order)
      return real.execute(order, lead)
    },
  }
  const config = readConfig(SETTINGS)
  // A fixed start, because the simulated market differs from date to date.
  const feed = { ...simulatedFeed({ seed: config.MARKET_SEED }), beginMs: () => START_MS }
  const world = await openWorld(
    openContext({
      ...book,
      config,
      log: pino({ level: process.env['TEST_LOG'] ?? 'fatal' }),
      venue,
      costs: COSTS,
      feed,
    }),
    drop,
  )
  expect(
    (
      await venueCommand(
        (await signInAs(world.context, { name: 'Grace', roles: ['payouts'] })).context,
        ['funded', '1000000', 'wire-1'],
      )
    ).ok,
  ).toBe(true)
  const floor = { world, exchange, orders, account, hour: () => world.hours(1) }
  onTestFinished(async () => {
    await world.close()
    await exchange.close()
  })
  return floor
}

/**
 * Sets the exchange's last price to the price by which the order was sized, truncated to the
 * exchange's decimals.
 */
export function quote(
  exchange: Exchange,
  { pair, price }: Pick<BlockOrder, 'pair' | 'price'>,
): void {
  for (const market of exchange.markets.values()) {
    if (market.symbol.startsWith(`${baseOf(pair)}/`))
      market.lastPrice = unitsToDecimal(price, market.priceDecimals)
  }
}

export async function invest(
  { world }: Floor,
  { amount, pairs = PAIRS }: { amount: string; pairs?: readonly Pair[] },
) {
  const user = await world.user()
  await user.deposit('10000')
  const bots = []
  for (const riskLevel of ['conservative', 'moderate', 'aggressive'] as const) {
    bots.push(
      await user.call('createBot', {
        body: { name: riskLevel, riskLevel, tradingPairs: [...pairs], investmentAmount: amount },
      }),
    )
  }
  return { user, bots }
}

/** The number of blocks whose outcome is unknown. */
export async function countUnsettled({ world }: Pick<Floor, 'world'>): Promise<number> {
  const [row] = await world.context.sql<{ left: number }[]>`
    select count(*)::integer as left from engine_blocks where state <> 'settled'`
  return row?.left ?? 0
}

/**
 * Checks that nothing was lost, executed twice or left open: the ledger reconciles and matches the
 * exchange's own book.
 */
export async function expectAgreement({ world, orders }: Floor): Promise<void> {
  expect(await reconcile(world.context)).toEqual([])
  expect(await compareVenue(world.context)).toEqual([])
  expect(await countUnsettled({ world })).toBe(0)
  const executed = orders.orders().filter((order) => (parseDecimal(order.executed) ?? 0n) > 0n)
  const blocks = await world.context.sql<{ blockId: string; count: number }[]>`
    select block_id, count(*)::integer as count from venue_orders
     where id = any(${executed.map(({ clientOrderId }) => clientOrderId)}::uuid[])
     group by block_id`
  expect(
    blocks.filter(({ count }) => count > 1),
    'no block was executed twice',
  ).toEqual([])
  expect(new Set(executed.map(({ clientOrderId }) => clientOrderId)).size).toBe(executed.length)
}
