import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COUNT_LIMITS } from '#core/count-limits.ts'
import { PAYOUT_WAITS, waitSentence } from '#core/withdrawals/payout-wait.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { listOpenWithdrawals } from '#server/withdrawals/list-withdrawals.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'
import { MEANINGS } from '#server/withdrawals/payouts-stripe.ts'
import type { StripeAnswer } from '../emulators/stripe.ts'
import { StripeProblem } from '../emulators/stripe/problem.ts'
import { BANK_ACCOUNT, type TestUser } from '../world/world.ts'
import { declaredErrors, errorsByType, errorsOf, valuesOf } from './declarations.ts'
import { createStripeWorld, type StripeWorld } from './stripe-world.ts'

const HOUR_MS = 3_600_000
const PAYMENTS = 'resources/V2/MoneyManagement/OutboundPayments.d.ts'
const SETUPS = 'resources/V2/MoneyManagement/OutboundSetupIntents.d.ts'

let world: StripeWorld
let nowMs = Date.now()
/** Answers that Stripe gives instead, by withdrawal or by the number of a bank account. */
const answers = new Map<string, StripeAnswer>()

beforeAll(async () => {
  world = await createStripeWorld({
    config: { PAYOUTS: 'stripe', STRIPE_FINANCIAL_ACCOUNT: 'fa_1' },
    context: { now: () => new Date(nowMs) },
  })
  world.stripe.answerBy(({ text }) => [...answers].find(([mark]) => text.includes(mark))?.[1])
})
afterAll(() => world.close())

type Payout = { user: TestUser; id: string; accountNumber: string }
let accounts = 100_000_000

/** Approved withdrawals of users with $1,000 and one bank account for each withdrawal. */
async function approved(count: number): Promise<Payout[]> {
  const payouts: Payout[] = []
  let user: TestUser | undefined
  for (let index = 0; index < count; index += 1) {
    if (index % COUNT_LIMITS['too-many-bank-accounts'] === 0) user = undefined
    user ??= await withMoney()
    payouts.push(await payoutOf(user))
  }
  return payouts
}

async function withMoney(): Promise<TestUser> {
  const user = await world.user()
  const intent = await world.intent(user, '1000')
  world.pay(intent)
  await user.call('confirmDeposit', { body: { paymentIntentId: intent.id } })
  return user
}

async function payoutOf(user: TestUser): Promise<Payout> {
  const accountNumber = String((accounts += 1))
  const account = { ...BANK_ACCOUNT, accountNumber }
  const { id: bankAccountId } = await user.call('addBankAccount', { body: account })
  const { id } = await user.call('requestWithdrawal', { body: { amount: '40', bankAccountId } })
  const operator = { id: world.context.newId(), name: 'Grace' }
  await approveWithdrawal(world.context, { id, operator })
  return { user, id, accountNumber }
}

const onlyPayout = async () => payoutOf(await withMoney())

async function turn(): Promise<void> {
  const { sql } = world.context
  // Sets the last poll back by a minute; a payout that was never polled stays so.
  await sql`update withdrawal_requests set asked_at = asked_at - interval '1 hour'`
  await payOut(world.context)
}

const listed = async ({ user, id }: Payout) =>
  (await user.call('listWithdrawals')).find((withdrawal) => withdrawal.id === id)
const cashOf = async ({ user }: Payout) => (await user.call('getUser')).availableBalance
const paymentsOf = ({ id }: Payout) =>
  world.stripe.test.outbound.payments.filter(({ metadata }) => metadata['withdrawal_id'] === id)
const waitOf = async ({ id }: Payout) =>
  (await listOpenWithdrawals(world.context.sql)).find((open) => open.id === id)?.waitsFor
const standing = async (payout: Payout) => {
  const { state, cancelable } = (await listed(payout)) ?? {}
  return [state, cancelable, await waitOf(payout), paymentsOf(payout).length]
}
const WAITING = (wait: keyof typeof PAYOUT_WAITS) =>
  ['submitted', PAYOUT_WAITS[wait].isUnsent, waitSentence(wait), 0] as const
const FAILED = ['failed', false, undefined, 0] as const
const cancel = ({ user, id }: Payout) => user.ask('cancelWithdrawal', { params: { id } })

const problem = (status: number, type: string, code?: string): StripeAnswer => ({
  problem: new StripeProblem(status, { type, message: type, ...(code && { code }) }),
})

/** The meaning of a class where the payment itself is asked for, and where its recipient is. */
const EXPECTED: Record<string, readonly [payment: string, recipient: string]> = {
  blocked_by_stripe: ['failed', 'failed'],
  invalid_payout_method: ['failed', 'failed'],
  recipient_not_notifiable: ['failed', 'failed'],
  insufficient_funds: ['funds', 'funds'],
  capability_not_enabled: ['not-enabled', 'not-enabled'],
  feature_not_enabled: ['not-enabled', 'not-enabled'],
  financial_account_not_open: ['not-enabled', 'not-enabled'],
  quota_exceeded: ['limit', 'limit'],
  cannot_proceed: ['bank-account', 'bank-account'],
  controlled_by_alternate_resource: ['bank-account', 'bank-account'],
  rate_limit: ['unknown', 'busy'],
  already_canceled: ['unknown', 'away'],
  fx_quote_needs_refresh: ['unknown', 'away'],
  invalid_payment_method: ['unknown', 'away'],
  invalid_vaulted_credential: ['unknown', 'away'],
  not_cancelable: ['unknown', 'away'],
  temporary_session_expired: ['unknown', 'away'],
  verification_attempt_failed: ['unknown', 'away'],
  verification_expired: ['unknown', 'away'],
  verification_not_initiated: ['unknown', 'away'],
}

type Row = readonly [
  name: string,
  answer: StripeAnswer,
  expected: readonly [payment: string, recipient: string],
]
const ROWS: readonly Row[] = [
  ...[...errorsByType()].map(([type, name]): Row => [
    name,
    problem(400, type),
    EXPECTED[type] ?? ['no row', 'no row'],
  ]),
  [
    'invalid fields',
    problem(400, 'invalid_request_error', 'invalid_fields'),
    ['request', 'request'],
  ],
  ['not found', problem(404, 'invalid_request_error', 'not_found'), ['request', 'request']],
  ['an idempotency error', problem(400, 'idempotency_error'), ['unknown', 'away']],
  ['a wrong key', problem(401, 'invalid_request_error'), ['unknown', 'key']],
  ['a card error', problem(402, 'card_error'), ['unknown', 'away']],
  ['a missing permission', problem(403, 'invalid_request_error'), ['unknown', 'key']],
  ['a key in use', problem(409, 'invalid_request_error'), ['unknown', 'away']],
  ['a rate limit', { status: 429 }, ['unknown', 'busy']],
  ['an error at Stripe', { status: 500 }, ['unknown', 'away']],
  ['a class of tomorrow', problem(400, 'out_of_cheese'), ['request', 'request']],
  ['a status of tomorrow', problem(418, 'teapot'), ['unknown', 'away']],
]

const expectedOf = (meaning: string) =>
  meaning === 'failed' ? FAILED : WAITING(meaning as keyof typeof PAYOUT_WAITS)

describe('the table of answers', () => {
  test('the table has every class of the installed client', () => {
    expect(Object.keys(MEANINGS).toSorted()).toEqual(declaredErrors().toSorted())
    expect([...errorsByType().keys()].toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
  })

  test('each error class that Stripe declares for our calls has a meaning', () => {
    const ours = [
      ...errorsOf('resources/V2/Core/Accounts.d.ts', 'create'),
      ...errorsOf(SETUPS, 'create'),
      ...errorsOf(PAYMENTS, 'create'),
    ]
    expect(new Set(ours).size).toBe(10)
    expect(ours.filter((name) => (MEANINGS[name] ?? 'unknown') === 'unknown')).toEqual([])
  })
})

test(`${ROWS.length} answers to the payment: refused, waiting or unknown, then paid`, async () => {
  const payouts = await approved(ROWS.length)
  ROWS.forEach(([, answer], index) => answers.set(payouts[index]?.id ?? '', answer))
  await turn()
  await turn()
  const met = await Promise.all(payouts.map(standing))
  expect(ROWS.map(([name], index) => [name, met[index]])).toEqual(
    ROWS.map(([name, , [meaning]]) => [name, expectedOf(meaning)]),
  )
  answers.clear()
  await turn()
  for (const [index, payout] of payouts.entries()) {
    const [name, , [meaning]] = ROWS[index] ?? ['', {}, ['']]
    const isFailed = meaning === 'failed'
    expect([name, paymentsOf(payout).length]).toEqual([name, isFailed ? 0 : 1])
    const [payment] = paymentsOf(payout)
    if (payment) world.stripe.test.outbound.settle(payment, 'posted')
  }
  await turn()
  for (const payout of payouts)
    expect((await listed(payout))?.state).toBe(paymentsOf(payout).length === 0 ? 'failed' : 'paid')
})

test(`${ROWS.length} answers before the payment: nothing is sent, owners can cancel`, async () => {
  const payouts = await approved(ROWS.length)
  ROWS.forEach(([, answer], index) => answers.set(payouts[index]?.accountNumber ?? '', answer))
  await turn()
  await turn()
  const met = await Promise.all(payouts.map(standing))
  expect(ROWS.map(([name], index) => [name, met[index]])).toEqual(
    ROWS.map(([name, , [, meaning]]) => [name, expectedOf(meaning)]),
  )
  answers.clear()
  for (const payout of payouts) await cancel(payout)
  await turn()
  for (const payout of payouts)
    expect([await cashOf(payout), paymentsOf(payout)]).toEqual(['1000.00', []])
})

test('an unknown one cannot be canceled; if Stripe has none a day later: money back', async () => {
  const payout = await onlyPayout()
  answers.set(payout.id, { status: 500 })
  await turn()
  expect((await cancel(payout)).body.code).toBe('withdrawal-not-cancelable')
  nowMs += 23.5 * HOUR_MS
  await turn()
  expect(await standing(payout)).toEqual(WAITING('unknown'))
  nowMs += HOUR_MS
  const before = world.stripe.asked.filter(({ method }) => method === 'POST').length
  await turn()
  expect([await standing(payout), await cashOf(payout)]).toEqual([FAILED, '1000.00'])
  expect(world.stripe.asked.filter(({ method }) => method === 'POST')).toHaveLength(before)
  answers.clear()
  nowMs = Date.now()
})

test('a refusal of the recipient after a lost answer proves nothing: it was paid', async () => {
  const payout = await onlyPayout()
  world.stripe.answerBy(({ path, text }) =>
    path.endsWith('outbound_payments') && text.includes(payout.id) ? { lost: true } : undefined,
  )
  await turn()
  world.stripe.answerBy(({ text }) => [...answers].find(([mark]) => text.includes(mark))?.[1])
  for (const answer of [problem(403, 'api_error'), problem(401, 'api_error')]) {
    answers.set(payout.accountNumber, answer)
    await turn()
    expect(await standing(payout)).toEqual(['submitted', false, waitSentence('unknown'), 1])
    expect((await cancel(payout)).status).toBe(409)
  }
  answers.clear()
  await turn()
  expect(paymentsOf(payout)).toHaveLength(1)
})

test('a payout of another account is neither sent nor looked up', async () => {
  const payout = await onlyPayout()
  answers.set(payout.id, { status: 500 })
  await turn()
  answers.clear()
  const { payouts } = world.context
  await world.context.sql`update withdrawal_requests
    set asked_at = asked_at - interval '1 hour' where id = ${payout.id}`
  await payOut({ ...world.context, payouts: { ...payouts, account: 'fa_2' } })
  expect(await standing(payout)).toEqual([
    'submitted',
    false,
    'This payout is not proven: it was submitted to another account than fa_2.',
    0,
  ])
  await turn()
  expect(paymentsOf(payout)).toHaveLength(1)
})

test.each(valuesOf(SETUPS, { type: 'Status', after: 'namespace OutboundSetupIntent {' }))(
  'a bank account whose setup is %s',
  async (status) => {
    const payout = await onlyPayout()
    const { outbound } = world.stripe.test
    outbound.setupStatus = status as typeof outbound.setupStatus
    await turn()
    outbound.setupStatus = 'succeeded'
    expect(await standing(payout)).toEqual(
      status === 'succeeded' ? ['submitted', false, null, 1] : WAITING('bank-account'),
    )
    await cancel(payout)
  },
)

const STATUSES = {
  processing: 'submitted',
  posted: 'paid',
  failed: 'failed',
  canceled: 'failed',
  returned: 'failed',
  'a status of tomorrow': 'submitted',
} as const
const reasonsOf = (status: string) =>
  valuesOf(PAYMENTS, { type: 'Reason', after: `namespace ${status} {` })
const SETTLED = [
  ...Object.keys(STATUSES).map((status) => [status, undefined] as const),
  ...reasonsOf('Processing').map((reason) => ['processing', reason] as const),
  ...reasonsOf('Failed').map((reason) => ['failed', reason] as const),
  ...reasonsOf('Returned').map((reason) => ['returned', reason] as const),
]

test('the statuses of a payment are those that Stripe declares', () => {
  const declared = valuesOf(PAYMENTS, { type: 'Status', after: 'namespace OutboundPayment {' })
  expect(declared.toSorted()).toEqual(Object.keys(STATUSES).slice(0, 5).toSorted())
  expect(SETTLED).toHaveLength(6 + 21)
})

test(`${SETTLED.length} statuses and reasons of a payment have the listed result`, async () => {
  const payouts = await approved(SETTLED.length)
  await turn()
  for (const [index, [status, reason]] of SETTLED.entries()) {
    const [payment] = paymentsOf(payouts[index] as Payout)
    Object.assign(payment ?? {}, {
      status,
      ...(reason && { status_details: { [status]: { reason } } }),
    })
  }
  await turn()
  for (const [index, [status, reason]] of SETTLED.entries()) {
    const payout = payouts[index]
    if (!payout) throw new Error('no payout')
    const { state, cancelable } = (await listed(payout)) ?? {}
    const wait = { processing: reason && 'review', 'a status of tomorrow': 'unknown' }[status]
    expect([status, reason, state, cancelable, await waitOf(payout)]).toEqual([
      status,
      reason,
      STATUSES[status as keyof typeof STATUSES],
      false,
      state === 'submitted' ? waitSentence(wait ?? null) : undefined,
    ])
    const [told] = await world.context.sql<{ note: string | null }[]>`
      select details ->> 'note' as note from audit_events
       where subject = ${payout.id} order by id desc limit 1`
    expect(told?.note ?? undefined).toBe(status === 'processing' ? undefined : reason)
  }
})

test('after all these answers the book reconciles', async () => {
  expect(await reconcile(world.context)).toEqual([])
})
