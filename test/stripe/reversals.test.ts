import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { repayDebts } from '#server/deposits/repay-debts.ts'
import { momentInWords } from '#words/moment.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { readOwed } from '#server/ledger/read.ts'
import type { DisputeStatus } from '../emulators/stripe/objects.ts'
import { pastRules } from '../world/past-rules.ts'
import { valuesOf } from './declarations.ts'
import type { TestUser } from '../world/world.ts'
import { createStripeWorld, type StripeWorld } from './stripe-world.ts'

let world: StripeWorld
beforeAll(async () => {
  world = await createStripeWorld()
})
afterAll(() => world.close())

const cashOf = async (user: TestUser) => (await user.call('getUser')).availableBalance
const owedBy = async (user: TestUser) =>
  unitsToDecimal(await readOwed(world.context.sql, user.id), 2)

describe('money that is taken back', () => {
  const paid = async (user: TestUser, amount: string, method?: string) => {
    const intent = await world.intent(user, amount)
    await world.heard(() => world.pay(intent, method))
    return intent
  }
  const spend = async (user: TestUser, investmentAmount: string) =>
    (
      await user.call('createBot', {
        body: { name: 'bot', riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount },
      })
    ).id

  test('refunds are a running total: each part is taken once', async () => {
    const bob = await world.user()
    const intent = await paid(bob, '100')
    await world.heard(() => void world.stripe.test.refund(intent, { amount: 3_000 }))
    expect(await cashOf(bob)).toBe('70.00')
    await world.heard(
      () =>
        void [
          world.stripe.test.refund(intent, { amount: 1_000 }),
          world.stripe.test.refund(intent, { amount: 2_000 }),
        ],
    )
    expect([await cashOf(bob), await owedBy(bob)]).toEqual(['40.00', '0.00'])
    const { items } = await bob.call('listTransactions')
    expect(items.map(({ type, amount }) => `${type} ${amount}`)).toEqual([
      'refund -30.00',
      'refund -30.00',
      'deposit 100.00',
    ])
  })

  test('the money of a refund that bounces returns', async () => {
    const bob = await world.user()
    const intent = await paid(bob, '100', 'pm_card_refundFail')
    await world.heard(() => void world.stripe.test.refund(intent))
    expect(await cashOf(bob)).toBe('100.00')
  })

  test('money no longer in the cash is owed, freezes withdrawals and is repaid', async () => {
    const bob = await world.user()
    await bob.addBankAccount()
    const intent = await paid(bob, '100')
    const bot = await spend(bob, '80')
    await world.heard(() => void world.stripe.test.dispute(intent))
    expect([await cashOf(bob), await owedBy(bob)]).toEqual(['0.00', '80.00'])
    await paid(bob, '30')
    expect([await cashOf(bob), await owedBy(bob)]).toEqual(['0.00', '50.00'])
    const frozen = await bob.ask('requestWithdrawal', { body: { amount: '10' } })
    expect([frozen.status, frozen.body.code]).toEqual([409, 'withdrawals-frozen'])
    expect(frozen.body.message).toContain('$50.00')
    await bob.call('deleteBot', { params: { id: bot } })
    await world.serve()
    await repayDebts(world.context)
    expect(await owedBy(bob)).toBe('0.00')
    const back = decimalToUnits(await cashOf(bob))
    expect(back > decimalToUnits('25') && back < decimalToUnits('35')).toBe(true)
    expect((await bob.ask('requestWithdrawal', { body: { amount: '10' } })).status).toBe(201)
    expect((await bob.call('listTransactions')).items.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['dispute', 'deposit', 'transfer']),
    )
  })

  test('a won dispute returns the money, a lost one does not, an inquiry takes none', async () => {
    const bob = await world.user()
    const [won, lost, asked] = [
      await paid(bob, '100'),
      await paid(bob, '50'),
      await paid(bob, '20', 'pm_card_createDisputeInquiry'),
    ]
    await world.heard(() => [won, lost].forEach((intent) => world.stripe.test.dispute(intent)))
    expect(await cashOf(bob)).toBe('20.00')
    const close = (intent: typeof won, outcome: 'won' | 'lost' | 'warning_closed') =>
      world.heard(() =>
        world.stripe.test
          .disputesOf(intent.id)
          .forEach((dispute) => world.stripe.test.closeDispute(dispute, outcome)),
      )
    await close(won, 'won')
    await close(lost, 'lost')
    await close(asked, 'warning_closed')
    expect([await cashOf(bob), await owedBy(bob)]).toEqual(['120.00', '0.00'])
  })

  test.each([
    ['pending', '60.00'],
    ['requires_action', '60.00'],
    ['succeeded', '60.00'],
    ['failed', '100.00'],
    ['canceled', '100.00'],
  ] as const)('a refund of $40 that is %s leaves %s', async (status, left) => {
    const bob = await world.user()
    const intent = await paid(bob, '100')
    await world.heard(() => {
      const refund = world.stripe.test.refund(intent, { amount: 4_000 })
      world.stripe.test.settleRefund(refund, status)
    })
    expect(await cashOf(bob)).toBe(left)
  })

  const DISPUTES = valuesOf('resources/Disputes.d.ts', {
    type: 'Status',
    after: 'namespace Dispute {',
  }) as DisputeStatus[]
  test(`a dispute takes what was withdrawn in each of ${DISPUTES.length} statuses`, async () => {
    expect(DISPUTES).toHaveLength(10)
    for (const settles of ['usd', 'eur'])
      for (const status of DISPUTES) {
        const bob = await world.user()
        const intent = await paid(bob, '100')
        const isInquiry = status.startsWith('warning') || status === 'prevented'
        world.stripe.test.settles = settles
        await world.heard(() => {
          const dispute = world.stripe.test.dispute(intent, { isInquiry })
          if (status === 'won') world.stripe.test.closeDispute(dispute, 'won')
          else world.stripe.test.moveDispute(dispute, status)
        })
        world.stripe.test.settles = 'usd'
        const left = isInquiry || status === 'won' ? '100.00' : '0.00'
        expect([settles, status, await cashOf(bob)]).toEqual([settles, status, left])
      }
  })

  test('no withdrawal is paid while its owner is in debt; canceling one repays it', async () => {
    const bob = await world.user()
    await bob.addBankAccount()
    const intent = await paid(bob, '100')
    const { id } = await bob.call('requestWithdrawal', { body: { amount: '90' } })
    await world.heard(() => void world.stripe.test.refund(intent))
    expect(await owedBy(bob)).toBe('90.00')
    await world.payOut()
    expect((await bob.call('listWithdrawals'))[0]?.state).toBe('pending')
    await bob.call('cancelWithdrawal', { params: { id } })
    await repayDebts(world.context)
    expect([await cashOf(bob), await owedBy(bob)]).toEqual(['0.00', '0.00'])
  })

  test("a reversal's receipt has ledger lines, and the statement sums to the cash", async () => {
    const bob = await world.user()
    const intent = await paid(bob, '100')
    await spend(bob, '60')
    await world.heard(() => void world.stripe.test.refund(intent))
    const refund = (await bob.call('listTransactions', { query: { type: 'refund' } })).items[0]
    const receipt = await bob.call('getTransaction', { params: { id: refund?.id } })
    expect(receipt).toMatchObject({
      transaction: {
        description: 'Refund of $100.00 to your card, $60.00 of it owed',
        amount: '-40.00',
      },
      paymentIntentId: intent.id,
    })
    expect(receipt.lines.map(({ account, amount }) => `${account} ${amount}`).toSorted()).toEqual([
      'card:clearing 100.00000000',
      'customer:cash -40.00000000',
      'customer:receivable -60.00000000',
    ])
    const csv = await world.app.inject({
      url: '/api/statement.csv',
      headers: { cookie: bob.cookie },
    })
    expect(csv.body.trim().split('\n').at(-1)).toContain(',-40.00000000,0.00000000,USD,')
  })
})

describe('card money on hold', () => {
  let held: StripeWorld
  beforeAll(async () => {
    held = await createStripeWorld({ config: { DEPOSIT_HOLD_HOURS: 72 } })
  })
  afterAll(() => held.close())

  test('card money can be traded at once; its refused withdrawals name the 72 hours', async () => {
    const bob = await held.user()
    await bob.addBankAccount()
    for (const amount of ['100', '50']) {
      const intent = await held.intent(bob, amount)
      held.pay(intent)
      await bob.call('confirmDeposit', { body: { paymentIntentId: intent.id } })
    }
    const withdraw = (amount: string) => bob.ask('requestWithdrawal', { body: { amount } })
    const terms = await bob.call('getWithdrawalTerms')
    expect(terms).toMatchObject({
      withdrawable: '0.00',
      owed: '0.00',
      holds: [{ amount: '100.00' }, { amount: '50.00' }],
    })
    const day = momentInWords(terms.holds[0]?.until.replace('T', ' ').slice(0, 16) ?? '')
    expect(await withdraw('20')).toMatchObject({
      status: 422,
      body: {
        code: 'withdrawal-on-hold',
        field: 'amount',
        message: expect.stringContaining(`from ${day} UTC`) as unknown,
      },
    })
    await bob.call('createBot', {
      body: {
        name: 'bot',
        riskLevel: 'moderate',
        tradingPairs: ['BTC/USDT'],
        investmentAmount: '30',
      },
    })
    expect((await withdraw('1000')).body.code).toBe('withdrawal-above-available')
    await pastRules(
      held.context.sql,
      (tx) =>
        tx`update payment_intents set credited_at = credited_at - interval '73 hours'
          where user_id = ${bob.id}`,
    )
    expect(await bob.call('getWithdrawalTerms')).toMatchObject({
      withdrawable: '120.00',
      holds: [],
    })
    expect((await withdraw('120')).status).toBe(201)
  })

  test('card money is no longer on hold once refunded', async () => {
    const bob = await held.user()
    const intent = await held.intent(bob, '100')
    held.pay(intent)
    await bob.call('confirmDeposit', { body: { paymentIntentId: intent.id } })
    held.stripe.test.refund(intent, { amount: 4_000 })
    for (const event of held.stripe.test.events.slice(-2)) await held.deliver(event)
    expect(await bob.call('getWithdrawalTerms')).toMatchObject({
      withdrawable: '0.00',
      holds: [{ amount: '60.00' }],
    })
  })
})

test('after all these reversals the book reconciles', async () => {
  expect(await reconcile(world.context)).toEqual([])
})
