import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '#server/ledger/reconcile.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'
import { sandboxPayouts } from '#server/withdrawals/payouts-sandbox.ts'
import { signInAs } from '../world/operators.ts'
import { BANK_ACCOUNT, type TestUser } from '../world/world.ts'
import { createStripeWorld, type StripeWorld } from './stripe-world.ts'
import { pattern } from '../world/pattern.ts'

let world: StripeWorld
let nowMs = Date.now()
beforeAll(async () => {
  world = await createStripeWorld({
    config: { PAYOUTS: 'stripe', STRIPE_FINANCIAL_ACCOUNT: 'fa_1' },
    context: { now: () => new Date(nowMs) },
  })
})
afterAll(() => world.close())

/** A user with $100 and an approved withdrawal of $40. */
async function approved(account = BANK_ACCOUNT): Promise<{ user: TestUser; id: string }> {
  const user = await world.user()
  const intent = await world.intent(user, '100')
  world.pay(intent)
  await user.call('confirmDeposit', { body: { paymentIntentId: intent.id } })
  await user.call('addBankAccount', { body: account })
  const { id } = await user.call('requestWithdrawal', { body: { amount: '40' } })
  await approveWithdrawal(world.context, {
    id,
    operator: { id: world.context.newId(), name: 'Grace' },
  })
  return { user, id }
}

/** Runs the job, with every payout due for polling. */
async function turn(): Promise<void> {
  await world.context.sql`update withdrawal_requests
    set asked_at = asked_at - interval '2 hours'`
  await payOut(world.context)
}

const stateOf = async ({ user, id }: { user: TestUser; id: string }) =>
  (await user.call('listWithdrawals')).find((withdrawal) => withdrawal.id === id)?.state
const cashOf = async ({ user }: { user: TestUser }) => (await user.call('getUser')).availableBalance
const paymentsOf = ({ id }: { id: string }) =>
  world.stripe.test.outbound.payments.filter(({ metadata }) => metadata['withdrawal_id'] === id)
const onlyPayment = (withdrawal: { id: string }) => {
  const [payment, ...others] = paymentsOf(withdrawal)
  if (payment === undefined || others.length > 0)
    throw new Error(`${others.length} payments too many, or none`)
  return payment
}

test("an approved withdrawal is sent once, in cents, to its owner's bank account", async () => {
  const withdrawal = await approved()
  expect(await stateOf(withdrawal)).toBe('approved')
  await turn()
  expect(await stateOf(withdrawal)).toBe('submitted')
  const payment = onlyPayment(withdrawal)
  expect(payment).toMatchObject({
    amount: { value: 4_000, currency: 'usd' },
    from: { financial_account: 'fa_1' },
  })
  expect(world.stripe.test.outbound.methods.get(payment.to.payout_method)).toMatchObject({
    last4: '6789',
    routing: '021000021',
  })
  await turn()
  expect(await stateOf(withdrawal)).toBe('submitted')
  world.stripe.test.outbound.settle(payment, 'posted')
  await turn()
  expect([await stateOf(withdrawal), await cashOf(withdrawal)]).toEqual(['paid', '60.00'])
  onlyPayment(withdrawal)
})

test.each(['failed', 'canceled', 'returned'] as const)(
  'a payout that ends as %s before it arrived returns the money',
  async (status) => {
    const withdrawal = await approved()
    await turn()
    world.stripe.test.outbound.settle(onlyPayment(withdrawal), status)
    await turn()
    expect([await stateOf(withdrawal), await cashOf(withdrawal)]).toEqual(['failed', '100.00'])
  },
)

test('a payout that comes back days after it arrived is returned', async () => {
  const withdrawal = await approved()
  await turn()
  const payment = onlyPayment(withdrawal)
  world.stripe.test.outbound.settle(payment, 'posted')
  await turn()
  world.stripe.test.outbound.settle(payment, 'returned')
  await turn()
  expect([await stateOf(withdrawal), await cashOf(withdrawal)]).toEqual(['returned', '100.00'])
})

test('a retry under the same key recovers a lost response: paid once', async () => {
  const withdrawal = await approved()
  // Recipient and bank account are made; every answer about the payment is lost, also those to the
  // client's own repetitions.
  world.stripe.fail({ lost: true, times: 12 })
  for (let attempt = 0; attempt < 4; attempt += 1) await turn()
  expect(await stateOf(withdrawal)).toBe('submitted')
  world.stripe.fail({ lost: true, times: 0 })
  await turn()
  const payment = onlyPayment(withdrawal)
  world.stripe.test.outbound.settle(payment, 'posted')
  await turn()
  expect(await stateOf(withdrawal)).toBe('paid')
  const keys = world.stripe.asked
    .filter(({ path, method }) => method === 'POST' && path.endsWith('outbound_payments'))
    .map(({ key }) => key)
  expect(keys.filter((key) => key === `withdrawal-${withdrawal.id}`).length).toBeGreaterThan(0)
})

test('an owner who takes another name is paid to the same bank account', async () => {
  const first = await approved()
  await turn()
  const { user } = first
  await user.call('updateUser', { body: { firstName: 'Augusta', lastName: 'King' } })
  const { id } = await user.call('requestWithdrawal', { body: { amount: '30' } })
  const operator = { id: world.context.newId(), name: 'Grace' }
  await approveWithdrawal(world.context, { id, operator })
  await turn()
  expect(await stateOf({ user, id })).toBe('submitted')
  const [earlier, later] = [onlyPayment(first), onlyPayment({ id })]
  world.stripe.test.outbound.settle(earlier, 'posted')
  world.stripe.test.outbound.settle(later, 'posted')
  await turn()
  expect([await stateOf(first), await stateOf({ user, id })]).toEqual(['paid', 'paid'])
})

test('a lost payment is found a day later, even under another name of its owner', async () => {
  const withdrawal = await approved()
  world.stripe.answerBy(({ path }) =>
    path.endsWith('/outbound_payments') ? { lost: true } : undefined,
  )
  await turn()
  world.stripe.answerBy(() => undefined)
  const payment = onlyPayment(withdrawal)
  await withdrawal.user.call('updateUser', { body: { firstName: 'Augusta', lastName: 'King' } })
  await turn()
  world.stripe.test.outbound.settle(payment, 'posted')
  nowMs += 23.5 * 3_600_000
  await turn()
  nowMs = Date.now()
  expect(await stateOf(withdrawal)).toBe('paid')
  expect(onlyPayment(withdrawal)).toBe(payment)
})

test('a payout without a reference is searched for later, and never sent again', async () => {
  const [known, unknown] = [await approved(), await approved()]
  await turn()
  const payment = onlyPayment(known)
  await world.context.sql`update withdrawal_requests set provider_reference = null
      where id in (${known.id}, ${unknown.id})`
  world.stripe.test.outbound.payments.splice(
    world.stripe.test.outbound.payments.indexOf(onlyPayment(unknown)),
    1,
  )
  nowMs += 23.5 * 3_600_000
  const before = world.stripe.asked.filter(({ method }) => method === 'POST').length
  world.stripe.test.outbound.settle(payment, 'posted')
  await turn()
  expect([await stateOf(known), await stateOf(unknown)]).toEqual(['paid', 'submitted'])
  expect(world.stripe.asked.filter(({ method }) => method === 'POST')).toHaveLength(before)
  nowMs = Date.now()
})

test('a payout without a bank account is returned; one without funds at Stripe waits', async () => {
  const refused = await approved({ ...BANK_ACCOUNT, accountNumber: '000111111113' })
  await turn()
  expect([await stateOf(refused), await cashOf(refused)]).toEqual(['failed', '100.00'])
  const waiting = await approved()
  const { outbound } = world.stripe.test
  const available = outbound.available
  outbound.available = 0
  await turn()
  expect([await stateOf(waiting), paymentsOf(waiting)]).toEqual(['submitted', []])
  outbound.available = available
  await turn()
  expect(onlyPayment(waiting).status).toBe('processing')
})

test('Stripe is polled about each payout once a minute, not at every run of the job', async () => {
  await turn()
  const before = world.stripe.asked.length
  await payOut(world.context)
  expect(world.stripe.asked).toHaveLength(before)
})

test('a payout keeps its provider after PAYOUTS changed, and the list shows which', async () => {
  const withdrawal = await approved()
  await turn()
  const changed = {
    ...world.context,
    payouts: sandboxPayouts({ delayMs: 0, now: () => new Date(nowMs + 60_000) }),
  }
  await world.context.sql`update withdrawal_requests
    set asked_at = asked_at - interval '2 hours'`
  await payOut(changed)
  expect(await stateOf(withdrawal)).toBe('submitted')
  const sentence = pattern(
    /^([-0-9a-f, ]+): handed to stripe, which PAYOUTS no longer names, /,
    /so their outcome is not checked\./,
  )
  const { operator } = (await signInAs(world.context, { name: 'Grace', roles: ['auditor'] }))
    .context
  const { lines } = await withdrawalsCommand({ ...changed, operator }, ['list'])
  expect(sentence.exec(lines.at(-1) ?? '')?.[1]?.split(', ')).toContain(withdrawal.id)
  world.stripe.test.outbound.settle(onlyPayment(withdrawal), 'posted')
  await turn()
  expect(await stateOf(withdrawal)).toBe('paid')
  expect(
    (await withdrawalsCommand({ ...world.context, operator }, ['list'])).lines.filter((line) =>
      sentence.test(line),
    ),
  ).toEqual([])
})

test('after all these payouts the book reconciles', async () => {
  expect(await reconcile(world.context)).toEqual([])
})
