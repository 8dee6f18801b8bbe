import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '#server/ledger/reconcile.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'
import type { StripeAnswer } from '../emulators/stripe.ts'
import type { OutboundPayment } from '../emulators/stripe/outbound.ts'
import { StripeProblem } from '../emulators/stripe/problem.ts'
import { lengthOf } from '../world/length.ts'
import { randomFrom, SEED } from '../world/random.ts'
import { BANK_ACCOUNT, type TestUser } from '../world/world.ts'
import { errorsByType } from './declarations.ts'
import { createStripeWorld, type StripeWorld } from './stripe-world.ts'

const HOUR_MS = 3_600_000
/** Number of withdrawals, each with its own history. */
const LIVES = lengthOf({ usual: 40, full: 1_000 })
const USERS = 4
const OF_ONE_USER = 10
const AT_ONCE = USERS * OF_ONE_USER
const TURNS = 10

let world: StripeWorld
let nowMs = Date.now()
const random = randomFrom(SEED)

beforeAll(async () => {
  world = await createStripeWorld({
    config: { PAYOUTS: 'stripe', STRIPE_FINANCIAL_ACCOUNT: 'fa_1' },
    context: { now: () => new Date(nowMs) },
  })
})
afterAll(() => world.close())

const ANSWERS: readonly (() => StripeAnswer | undefined)[] = [
  ...Array.from({ length: 12 }, () => () => undefined),
  ...Array.from({ length: 6 }, () => () => ({ lost: true }) as const),
  ...Array.from({ length: 6 }, () => () => ({ late: true }) as const),
  () => ({ status: 429 }),
  () => ({ status: 500 }),
  () => ({ status: 503 }),
  ...[...errorsByType().keys()].map((type) => () => problem(400, type)),
  ...[400, 401, 402, 403, 404, 409].map((status) => () => problem(status, 'api_error')),
]
const problem = (status: number, type: string): StripeAnswer => ({
  problem: new StripeProblem(status, { type, message: type }),
})

const paymentsOf = (id: string): OutboundPayment[] =>
  world.stripe.test.outbound.payments.filter(({ metadata }) => metadata['withdrawal_id'] === id)

/** Lets a minute pass, in which late requests arrive. */
async function turn(): Promise<void> {
  const { sql } = world.context
  await sql`update withdrawal_requests set asked_at = asked_at - interval '2 hours'`
  await payOut(world.context)
  world.stripe.arrive()
}

type Life = { user: TestUser; id: string }

async function withdrawals(): Promise<Life[]> {
  const user = await world.user()
  const intent = await world.intent(user, '9000')
  world.pay(intent)
  await user.call('confirmDeposit', { body: { paymentIntentId: intent.id } })
  await user.call('addBankAccount', { body: BANK_ACCOUNT })
  const lives: Life[] = []
  for (let index = 0; index < OF_ONE_USER; index += 1) {
    const { id } = await user.call('requestWithdrawal', { body: { amount: '10' } })
    const operator = { id: world.context.newId(), name: 'Grace' }
    await approveWithdrawal(world.context, { id, operator })
    lives.push({ user, id })
  }
  return lives
}

async function live(lives: readonly Life[]): Promise<void> {
  const { outbound } = world.stripe.test
  // Most requests of a recipient succeed: else hardly any payment would ever be asked for.
  world.stripe.answerBy(({ path }) =>
    path.endsWith('outbound_payments') || random.chance(0.1) ? random.pick(ANSWERS)() : undefined,
  )
  for (let count = 0; count < TURNS; count += 1) {
    await turn()
    for (const { user, id } of lives) {
      const [payment] = paymentsOf(id)
      if (payment?.status === 'processing' && random.chance(0.3))
        outbound.settle(
          payment,
          random.pick(['posted', 'posted', 'failed', 'canceled', 'returned']),
        )
      if (random.chance(0.2)) await user.ask('cancelWithdrawal', { params: { id } })
    }
    if (random.chance(0.5)) nowMs += random.below(5) * HOUR_MS
  }
  world.stripe.answerBy(() => undefined)
  nowMs += 25 * HOUR_MS
  await turn()
  for (const payment of outbound.payments)
    if (payment.status === 'processing') outbound.settle(payment, 'posted')
  await turn()
  await turn()
  nowMs = Date.now()
}

test(`${LIVES} payouts through any answers: 0 stranded, 0 paid twice, 0 lost`, async () => {
  const found = { stranded: 0, paidTwice: 0, givenBackButPaid: 0 }
  const ends: Record<string, number> = {}
  for (let done = 0; done < LIVES; done += AT_ONCE) {
    const lives: Life[] = []
    for (let count = 0; count < USERS; count += 1) lives.push(...(await withdrawals()))
    await live(lives)
    const states = await world.context.sql<{ id: string; state: string }[]>`
      select id, state from withdrawal_requests where id = any(${lives.map(({ id }) => id)})`
    for (const { id, state } of states) {
      const payments = paymentsOf(id)
      const isPaid = payments.some(({ status }) => status === 'posted')
      ends[state] = (ends[state] ?? 0) + 1
      if (!['paid', 'failed', 'returned', 'canceled'].includes(state)) found.stranded += 1
      if (payments.length > 1) found.paidTwice += 1
      if (isPaid !== (state === 'paid')) found.givenBackButPaid += 1
    }
  }
  console.log(`seed ${SEED}: ${JSON.stringify(ends)}, ${world.stripe.asked.length} requests`)
  expect(found).toEqual({ stranded: 0, paidTwice: 0, givenBackButPaid: 0 })
  expect(Object.keys(ends).toSorted()).toEqual(['canceled', 'failed', 'paid'])
  expect(await reconcile(world.context)).toEqual([])
})
