import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { readBalances } from '#server/holdings/balances.ts'
import { readOwed } from '#server/ledger/read.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { openContext } from '#server/open-context.ts'
import { openServer } from '#server/server.ts'
import type { PaymentIntent, StripeEvent } from '../emulators/stripe/objects.ts'
import { lengthOf } from '../world/length.ts'
import { randomFrom, SEED, type Random } from '../world/random.ts'
import type { TestUser } from '../world/world.ts'
import { createStripeWorld, sendWebhook, type StripeWorld } from './stripe-world.ts'

const UNITS_PER_CENT = 1_000_000n

let world: StripeWorld
/** Looks like another process to the database. */
let second: FastifyInstance

beforeAll(async () => {
  world = await createStripeWorld()
  const { config, sql, seals, atomically, log } = world.context
  const context = openContext({ config, sql, seals, atomically, log })
  await context.market.refresh()
  second = await openServer(context, { pages: '/nonexistent' })
})
afterAll(async () => {
  await second.close()
  await world.close()
})

/** Runs at most `width` at a time, in the order of `rows`. */
async function inParallel<Row>(
  rows: readonly Row[],
  width: number,
  work: (row: Row) => Promise<unknown>,
): Promise<void> {
  const waiting = rows.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const row of waiting) await work(row)
    }),
  )
}

function shuffled<Row>(rows: readonly Row[], random: Random): Row[] {
  return rows
    .map((row) => ({ row, at: random.below(2 ** 30) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ row }) => row)
}

const deliverTo = (app: FastifyInstance, event: StripeEvent) =>
  sendWebhook({ ...world, app }, { body: JSON.stringify(event) })

test('100 deliveries of an event beside 64 confirmations credit a payment once', async () => {
  const random = randomFrom(SEED)
  const user = await world.user()
  const intent = await world.intent(user, '321.09')
  const from = world.stripe.test.events.length
  world.pay(intent)
  const event = world.stripe.test.events
    .slice(from)
    .find(({ type }) => type === 'payment_intent.succeeded')
  if (event === undefined) throw new Error('no payment event')
  const asks: (() => Promise<number>)[] = [
    ...Array.from(
      { length: 100 },
      (_, index) => () => deliverTo(index % 2 === 0 ? world.app : second, event),
    ),
    ...Array.from(
      { length: 64 },
      () => async () =>
        (await user.ask('confirmDeposit', { body: { paymentIntentId: intent.id } })).status,
    ),
  ]
  const statuses = await Promise.all(shuffled(asks, random).map((ask) => ask()))
  const counts = Object.fromEntries(
    [...new Set(statuses)].map((status) => [
      status,
      statuses.filter((one) => one === status).length,
    ]),
  )
  const { cash } = await readBalances(world.context.sql, user.id)
  const rows = await world.context.sql`select from ledger_transfers where user_id = ${user.id}`
  console.log(
    `164 asks at once: answers ${JSON.stringify(counts)}, ${rows.length} transfer, cash ` +
      `${cash} units`,
  )
  expect([counts, cash, rows.length]).toEqual([{ 200: 164 }, 32_109n * UNITS_PER_CENT, 1])
})

test('an older state of Stripe that arrives late never overwrites a newer one', async () => {
  const user = await world.user()
  const intent = await world.intent(user, '100')
  world.pay(intent)
  await user.call('confirmDeposit', { body: { paymentIntentId: intent.id } })
  const refund = world.stripe.test.refund(intent)
  const told = world.stripe.test.events.at(-2)
  if (told?.type !== 'charge.refunded') throw new Error('no refund event')
  let release = () => {}
  const heldUntil = new Promise<void>((resolve) => (release = resolve))
  const before = world.stripe.asked.length
  world.stripe.fail({ heldUntil, times: 1 })
  const late = deliverTo(world.app, told)
  await expect.poll(() => world.stripe.asked.length).toBe(before + 1)
  // Stripe's response, with the full refund, is still on its way when the refund bounces and
  // another process learns of that first.
  world.stripe.test.failRefund(refund)
  expect(await deliverTo(second, told)).toBe(200)
  release()
  expect(await late).toBe(200)
  const { cash } = await readBalances(world.context.sql, user.id)
  expect([cash, await readOwed(world.context.sql, user.id)]).toEqual([10_000n * UNITS_PER_CENT, 0n])
})

const EVENTS = lengthOf({ usual: 500, full: 10_000 })
const INTENTS = EVENTS / 20
const USERS = 25
/** Payments change between deliveries, so that old events meet new states. */
const ROUNDS = 10

type Life = { user: TestUser; intent: PaymentIntent }

/** One possible change of a payment, in any state. */
function liveOn({ test: book }: StripeWorld['stripe'], { intent }: Life, random: Random): void {
  if (intent.status === 'requires_payment_method') {
    const method = random.pick([
      'pm_card_visa',
      'pm_card_visa',
      'pm_card_visa',
      'pm_card_visa_chargeDeclined',
      'pm_card_createDispute',
      'pm_card_createDisputeInquiry',
      'pm_card_refundFail',
    ])
    try {
      book.confirm(intent, { paymentMethod: method, returnUrl: null, ask: '' })
    } catch {
      // A refused card: its event is what counts.
    }
    return
  }
  const disputes = book.disputesOf(intent.id)
  const open = disputes.find(
    ({ status }) => status === 'needs_response' || status === 'warning_needs_response',
  )
  if (open)
    return book.closeDispute(
      open,
      open.status === 'warning_needs_response' ? 'warning_closed' : random.pick(['won', 'lost']),
    )
  const { received, refunded, disputed } = book.moneyOf(intent)
  const left = received - refunded - disputed
  if (left <= 0 || disputed > 0) return
  if (random.chance(0.3)) book.dispute(intent)
  else book.refund(intent, { amount: random.chance(0.3) ? left : 1 + random.below(left) })
}

/** Invests a part of the money, so that not everything taken back is still in the cash. */
async function spend(user: TestUser, random: Random): Promise<void> {
  const { cash } = await readBalances(world.context.sql, user.id)
  const dollars = cash / (100n * UNITS_PER_CENT)
  if (dollars < 2n) return
  const investmentAmount = String(1 + random.below(Number(dollars)))
  await user.ask('createBot', {
    body: { name: 'storm', riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount },
  })
}

type Storm = { users: TestUser[]; lives: Life[]; random: Random; firstEvent: number }

/** Deliveries by the status of their response. */
async function deliverWhileLivesGoOn({
  users,
  lives,
  random,
  firstEvent,
}: Storm): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  let delivered = 0
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const life of lives) if (random.chance(0.6)) liveOn(world.stripe, life, random)
    for (const user of users) if (random.chance(0.5)) await spend(user, random)
    const told = world.stripe.test.events.slice(firstEvent)
    const isLast = round === ROUNDS
    const count = isLast ? EVENTS - delivered - told.length : Math.floor((EVENTS / ROUNDS) * 0.55)
    const batch = Array.from({ length: count }, () => random.pick(told))
    // In the end every event has been delivered at least once, most of them many times.
    await inParallel(shuffled(isLast ? [...batch, ...told] : batch, random), 16, async (event) => {
      const status = await deliverTo(random.chance(0.5) ? world.app : second, event)
      statuses[status] = (statuses[status] ?? 0) + 1
      delivered += 1
    })
  }
  return statuses
}

/**
 * Checks every user's cash and debt against Stripe's book and their investments. Returns the totals
 * in units.
 */
async function compareUsers({ users, lives }: Storm): Promise<{ net: bigint; owedInAll: bigint }> {
  const { sql } = world.context
  let [net, owedInAll] = [0n, 0n]
  for (const user of users) {
    const theirs = lives
      .filter((life) => life.user.id === user.id)
      .map(({ intent }) => world.stripe.test.moneyOf(intent))
    const left = theirs.reduce(
      (sum, { received, refunded, disputed }) =>
        sum + BigInt(received - refunded - disputed) * UNITS_PER_CENT,
      0n,
    )
    const [{ invested = 0n } = {}] = await sql<
      { invested: bigint }[]
    >`select coalesce(sum(invested), 0)::bigint as invested from trading_bots
      where user_id = ${user.id}`
    const [{ cash }, owed] = await Promise.all([readBalances(sql, user.id), readOwed(sql, user.id)])
    const rest = left - invested
    expect([user.username, cash, owed]).toEqual([
      user.username,
      rest > 0n ? rest : 0n,
      rest < 0n ? -rest : 0n,
    ])
    net += left
    owedInAll += owed
  }
  return { net, owedInAll }
}

async function comparePayments({ lives }: Storm): Promise<void> {
  const rows = await world.context.sql<
    { id: string; received: bigint | null; refunded: bigint; disputed: bigint }[]
  >`select id, received, refunded, disputed from payment_intents`
  const booked = new Map(
    rows.map(({ id, received, refunded, disputed }) => [id, [received ?? 0n, refunded, disputed]]),
  )
  for (const { intent } of lives) {
    const { received, refunded, disputed } = world.stripe.test.moneyOf(intent)
    expect([intent.id, booked.get(intent.id)]).toEqual([
      intent.id,
      [received, refunded, disputed].map((cents) => BigInt(cents) * UNITS_PER_CENT),
    ])
  }
}

test(`${EVENTS} events of ${INTENTS} payments lead to the provider's amounts`, async () => {
  const random = randomFrom(SEED)
  const users: TestUser[] = []
  const lives: Life[] = []
  for (let index = 0; index < USERS; index += 1) users.push(await world.user())
  for (let index = 0; index < INTENTS; index += 1) {
    const user = random.pick(users)
    lives.push({
      user,
      intent: await world.intent(user, `${10 + random.below(990)}.${10 + random.below(90)}`),
    })
  }
  const storm = { users, lives, random, firstEvent: world.stripe.test.events.length }
  const statuses = await deliverWhileLivesGoOn(storm)
  const told = world.stripe.test.events.slice(storm.firstEvent)
  const types = new Set(told.map(({ type }) => type))
  const { net, owedInAll } = await compareUsers(storm)
  await comparePayments(storm)
  console.log(
    `seed ${SEED}: deliveries ${JSON.stringify(statuses)} of ${told.length} events ` +
      `(${types.size} types) of ${INTENTS} payments; ` +
      (`net ${net / UNITS_PER_CENT} cents, owed ${owedInAll / UNITS_PER_CENT} cents, Stripe ` +
        `asked ${world.stripe.asked.length} times`),
  )
  expect(statuses).toEqual({ 200: EVENTS })
  expect(types.size).toBeGreaterThan(9)
  expect(owedInAll).toBeGreaterThan(0n)
  expect(await reconcile(world.context)).toEqual([])
})
