import { expect, test } from 'vitest'
import { PAIRS } from '#core/market/pair.ts'
import { atomically } from '#server/db/atomically.ts'
import type { AccountOrder, ExchangeAccount } from '#server/exchange/exchange-account.ts'
import { venueCommand } from '#server/ops/orders-command.ts'
import type { Venue } from '#server/ports/venue.ts'
import { checkVenue } from '#server/trading/check-venue.ts'
import { findHalt, haltOrders, resumeOrders } from '#server/trading/halt.ts'
import type { OrderSide } from '../emulators/exchange-orders.ts'
import { countUnsettled, expectAgreement, invest, openFloor, type Floor } from '../world/floor.ts'
import { lengthOf } from '../world/length.ts'
import { signInAs } from '../world/operators.ts'
import { randomFrom, SEED, type Random } from '../world/random.ts'
import type { TestUser } from '../world/world.ts'

const NAMES = ['kraken', 'binance', 'coinbase'] as const

test.each(NAMES)(
  'bots trade at %s, and its account agrees with the ledger on every cent and coin',
  async (name) => {
    const floor = await openFloor({ name })
    const { user, bots } = await invest(floor, { amount: '3000' })
    for (let hour = 0; hour < 60; hour += 1) await floor.hour()
    await expectAgreement(floor)
    expect(floor.orders.orders().length).toBeGreaterThan(10)
    for (const { id } of bots) await user.call('deleteBot', { params: { id } })
    for (let hour = 0; hour < 3; hour += 1) await floor.hour()
    await expectAgreement(floor)
    const left = await floor.world.context.sql<{ asset: string; balance: bigint }[]>`
    select asset, balance from ledger_accounts
     where code in ('bots', 'pool') and asset <> 'USD' and balance <> 0`
    // A fee in coins leaves less than the exchange's smallest step, which cannot be sold.
    const markets = [...floor.exchange.markets.values()]
    const stepOf = (asset: string) =>
      10n ** BigInt(8 - (markets.find(({ base }) => base === asset)?.lotDecimals ?? 8))
    expect(left.filter(({ asset, balance }) => balance >= stepOf(asset))).toEqual([])
  },
)

/**
 * Random faults of an order: its reply or request is lost; it arrives after the look-up; its answer
 * is inconclusive, executed or not; or the process ends before or after sending, looking up, or
 * storing the fill.
 */
const BLOWS = [
  'lose-reply',
  'drop-before',
  'arrive-late',
  'internal-error',
  'executed-unknown',
  'end-before-send',
  'end-after-send',
  'end-before-look',
  'end-after-fill',
] as const
type Blow = (typeof BLOWS)[number]

/** Documented answers to an order that may have been executed. */
const UNKNOWN: Record<(typeof NAMES)[number], readonly string[]> = {
  kraken: [
    'EService:Unavailable',
    'EGeneral:Internal error',
    'EGeneral:Invalid arguments:cl_ord_id not unique',
  ],
  binance: ['-1000', '-1006', '-1007', '-2010 Duplicate order sent.'],
  coinbase: ['INTERNAL', 'UNAVAILABLE', 'UNKNOWN_FAILURE_REASON'],
}

class Ended extends Error {}

const LATE_MS = 40

/** Another process takes over, retrying until it succeeds. */
async function restart({ world, exchange }: Floor): Promise<void> {
  for (;;) {
    try {
      return await world.restartEngine()
    } catch (error) {
      expectBlow(error)
      exchange.clock.jumpBy(3_000)
    }
  }
}

function expectBlow(error: unknown): true {
  if (error instanceof Ended) return true
  throw error
}

const FAULTS = lengthOf({ usual: 20, full: 1_000 })

const LOSSES = `${FAULTS} faults of orders neither lose nor repeat one`

/** Faults occur one at a time. `choose`: picks the next one once the last has occurred. */
function randomFaults(name: (typeof NAMES)[number], random: Random) {
  const met = new Map<Blow, number>(BLOWS.map((blow) => [blow, 0]))
  let next: Blow | undefined
  const blow = (kind: Blow): boolean => {
    if (next !== kind) return false
    next = undefined
    met.set(kind, (met.get(kind) ?? 0) + 1)
    return true
  }
  const hard: { orders?: OrderSide; late?: Promise<unknown> } = {}
  const send = async (account: ExchangeAccount, order: AccountOrder) => {
    if (blow('end-before-send')) throw new Ended()
    if (blow('lose-reply')) hard.orders?.meet('lose-reply')
    if (blow('drop-before')) hard.orders?.meet('drop-before')
    if (blow('internal-error')) hard.orders?.meet('internal-error')
    if (blow('executed-unknown'))
      hard.orders?.refuse(random.pick(UNKNOWN[name]), { isExecuted: true })
    if (blow('arrive-late')) {
      hard.orders?.meet('slow', { delayMs: LATE_MS })
      // The order is answered late, and its outcome is looked up as after every answer.
      hard.late = account.send(order).catch(() => undefined)
      return
    }
    await account.send(order)
    if (blow('end-after-send')) throw new Ended()
  }
  const wrap = (account: ExchangeAccount): ExchangeAccount => ({
    ...account,
    send: (order) => send(account, order),
    find: async (order) => {
      if (blow('end-before-look')) throw new Ended()
      return account.find(order)
    },
  })
  const afterFill = (venue: Venue): Venue => ({
    ...venue,
    execute: async (order, lead) => {
      const fill = await venue.execute(order, lead)
      if (blow('end-after-fill')) throw new Ended()
      return fill
    },
  })
  const count = () => [...met.values()].reduce((sum, each) => sum + each, 0)
  const choose = () => (next ??= random.pick(BLOWS))
  return { met, hard, wrap, afterFill, count, choose, end: () => (next = undefined) }
}

/** Creates or closes a bot, so that nearly every hour has an order. */
function botChanges({ call }: TestUser, random: Random): () => Promise<void> {
  let open: string[] = []
  return async () => {
    if (open.length < 4) {
      const body = {
        name: `${open.length}`,
        strategy: 'hold',
        riskLevel: 'aggressive',
        tradingPairs: [random.pick(PAIRS)],
        investmentAmount: `${100 + random.below(100)}`,
      }
      open.push((await call('createBot', { body })).id)
    } else {
      const id = random.pick(open)
      open = open.filter((each) => each !== id)
      await call('deleteBot', { params: { id } })
    }
  }
}

test.each(NAMES)(`%s: ${LOSSES} (seed ${SEED})`, async (name) => {
  const random = randomFrom(SEED)
  const faults = randomFaults(name, random)
  const floor = await openFloor({ name, wrap: faults.wrap, afterFill: faults.afterFill })
  faults.hard.orders = floor.orders
  const { user } = await invest(floor, { amount: '1000' })
  const changeBots = botChanges(user, random)
  let hours = 0
  for (; faults.count() < FAULTS; hours += 1) {
    faults.choose()
    await changeBots()
    const hasEnded = await floor.hour().then(() => false, expectBlow)
    if (hasEnded || (await countUnsettled(floor)) > 0) {
      await faults.hard.late
      // Time passes at the exchange, after which an order that never arrived may be refused as
      // late.
      floor.exchange.clock.jumpBy(random.below(floor.account.horizonMs + 2_000))
      // Either a new process continues, or the same one at its next pulse.
      if (random.chance(0.2)) await restart(floor)
    }
    if (hours > 25_000) throw new Error(`too few orders: ${JSON.stringify([...faults.met])}`)
  }
  faults.end()
  floor.exchange.clock.jumpBy(floor.account.horizonMs)
  await floor.world.restartEngine()
  for (let hour = 0; hour < 2; hour += 1) await floor.hour()
  await expectAgreement(floor)
  console.log(
    `${name}, seed ${SEED}: ${hours} hours, ${floor.orders.received()} orders received, ` +
      `${floor.orders.orders().length} accepted; met ` +
      JSON.stringify(Object.fromEntries(faults.met)),
  )
})

test('partial fills are allocated as they arrive, and the rest is bought later', async () => {
  const floor = await openFloor()
  await invest(floor, { amount: '3000', pairs: ['BTC/USDT', 'ETH/USDT'] })
  floor.orders.setDepth(3_300)
  // Few enough hours that the unfilled rest stays above the exchange's minimum.
  for (let hour = 0; hour < 12; hour += 1) await floor.hour()
  await expectAgreement(floor)
  const [parts] = await floor.world.context.sql<
    { parts: number }[]
  >`select count(*)::integer as parts from engine_blocks where fill_quantity > 0 and fill_quantity <
    order_quantity * 0.99`
  expect(parts?.parts).toBeGreaterThan(10)
  floor.orders.setDepth(10_000)
  for (let hour = 0; hour < 3; hour += 1) await floor.hour()
  const behind = await floor.world.context.sql`
    select p.pair from pools p join strategy_exposures e on e.pair = p.pair
       and e.strategy = p.strategy where p.units > 0 and p.applied_bps <> e.exposure_bps`
  expect(behind).toEqual([])
  await expectAgreement(floor)
})

test.each([
  [
    'the rate limit of the exchange is hit',
    (floor: Floor) => void floor.orders.meet('rate-limit', { times: 5 }),
  ],
  [
    'the exchange is under maintenance',
    (floor: Floor) => void floor.orders.meet('maintenance', { times: 5 }),
  ],
  [
    'the exchange is unavailable',
    (floor: Floor) => void floor.orders.meet('unavailable', { times: 5 }),
  ],
  [
    'the exchange has an internal error',
    (floor: Floor) => void floor.orders.meet('internal-error', { times: 5 }),
  ],
  ['a pair is suspended', (floor: Floor) => suspend(floor, 'XXBTZUSD')],
])('when %s, orders wait and nothing is lost', async (_what, meet) => {
  const floor = await openFloor()
  meet(floor)
  await invest(floor, { amount: '3000' })
  for (let hour = 0; hour < 12; hour += 1) {
    await floor.hour()
    if ((await countUnsettled(floor)) > 0) floor.exchange.clock.jumpBy(6_000)
  }
  for (const market of floor.exchange.markets.values()) market.status = 'online'
  for (let hour = 0; hour < 3; hour += 1) await floor.hour()
  await expectAgreement(floor)
  expect(floor.orders.orders().length).toBeGreaterThan(3)
})

function suspend({ exchange }: Floor, id: string): void {
  const market = exchange.markets.get(id)
  if (market) market.status = 'cancel_only'
}

test('a halt stops new orders at once, whoever leads, and a resume allows them', async () => {
  const floor = await openFloor()
  const { sql } = floor.world.context
  await invest(floor, { amount: '3000' })
  await atomically(sql, (tx) => haltOrders(tx, 'a test'))
  for (let hour = 0; hour < 6; hour += 1) await floor.hour()
  await floor.world.restartEngine()
  await floor.hour()
  expect(floor.orders.received()).toBe(0)
  await atomically(sql, resumeOrders)
  for (let hour = 0; hour < 6; hour += 1) await floor.hour()
  expect(floor.orders.received()).toBeGreaterThan(3)
  await expectAgreement(floor)
})

test('holdings at the exchange that differ from the book halt orders, with the asset', async () => {
  const floor = await openFloor()
  const { context } = floor.world
  await invest(floor, { amount: '3000' })
  for (let hour = 0; hour < 6; hour += 1) await floor.hour()
  await checkVenue(context)
  expect(await findHalt(context.sql)).toBeUndefined()
  // Imitates a withdrawal of $100 that was not booked: the book records $100 as sent to the
  // exchange, but they never were.
  const operator = (await signInAs(context, { name: 'Linus', roles: ['payouts'] })).context
  expect((await venueCommand(operator, ['funded', '100', 'wire-2'])).ok).toBe(true)
  await checkVenue(context)
  expect((await findHalt(context.sql))?.reason).toMatch(
    /^Kraken holds [\d.]+ USD and the book says [\d.]+$/,
  )
  expect((await venueCommand(operator, ['compare'])).ok).toBe(false)
  expect(
    await context.sql`select from audit_events where action = 'venue.compare'`,
  ).not.toHaveLength(0)
})

test('the reason of a halt lists all problems of the account and its holdings', async () => {
  const settings = { spotBNBBurn: true, mayWithdraw: true }
  const { context } = (await openFloor({ name: 'binance', settings })).world
  const operator = (await signInAs(context, { name: 'Linus', roles: ['payouts'] })).context
  await venueCommand(operator, ['funded', '100', 'wire-2'])
  await checkVenue(context)
  expect((await findHalt(context.sql))?.reason.split('; ')).toEqual([
    expect.stringMatching(/^Binance takes its fees from BNB, /),
    expect.stringMatching(/^The API key at Binance may withdraw: /),
    'Binance holds 1000000.00000000 USD and the book says 1000100.00000000',
  ])
})

test('the house buys the rest of a closing bot below the minimum order, at the price', async () => {
  const floor = await openFloor()
  const user = await floor.world.user()
  await user.deposit('100')
  const { id } = await user.call('createBot', {
    body: {
      name: 'Small',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '20',
    },
  })
  for (let hour = 0; hour < 200 && floor.orders.orders().length === 0; hour += 1) await floor.hour()
  expect(floor.orders.orders().length).toBeGreaterThan(0)
  for (const market of floor.exchange.markets.values()) market.minimumCost = '5000'
  await user.call('deleteBot', { params: { id } })
  for (let hour = 0; hour < 4; hour += 1) await floor.hour()
  const [bot] = await floor.world.context.sql<
    { status: string }[]
  >`select status from trading_bots where id = ${id}`
  expect(bot?.status).toBe('closed')
  await expectAgreement(floor)
})
