import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CARD_EVENTS } from '#server/deposits/receive-webhook.ts'
import { refuseForeignSettlement } from '#server/stripe/open-stripe.ts'
import { undeclared, valuesOf } from '../stripe/declarations.ts'
import { pino } from 'pino'
import { startStripe, STRIPE_KEYS, type StripeEmulator } from './stripe.ts'
import type { PaymentIntent } from './stripe/objects.ts'

const silent = pino({ level: 'silent' })
let emulator: StripeEmulator
beforeAll(async () => {
  emulator = await startStripe()
})
afterAll(() => emulator.close())

const EVENTS = valuesOf('resources/Events.d.ts', { type: 'Type' })

function paid(method = 'pm_card_visa'): PaymentIntent {
  const { test: book } = emulator
  const intent = book.createIntent({
    amount: 5_000,
    currency: 'usd',
    metadata: {},
    description: null,
  })
  return book.confirm(intent, { paymentMethod: method, returnUrl: null, ask: '' })
}

test("every property of the emulated objects is in Stripe's types, of the same kind", () => {
  const { test: book } = emulator
  const intent = paid('pm_card_createDispute')
  const refund = book.refund(paid(), { amount: 100 })
  const [dispute] = book.disputesOf(intent.id)
  const account = book.outbound.createAccount({ display_name: 'Ada', configuration: {} })
  const setup = book.outbound.createSetup(
    {
      payout_method_data: {
        bank_account: {
          account_number: '000123456789',
          routing_number: '021000021',
          country: 'us',
          currency: 'usd',
        },
      },
    },
    String(account['id']),
  )
  const { id: method } = setup['payout_method'] as { id: string }
  const payment = book.outbound.createPayment({
    amount: { value: 100, currency: 'usd' },
    from: { financial_account: 'fa_1' },
    to: { recipient: account['id'], payout_method: method },
    description: 'Withdrawal',
  })
  const V2 = 'resources/V2/MoneyManagement'
  expect([
    ...undeclared('resources/PaymentIntents.d.ts', 'PaymentIntent', intent),
    ...undeclared('resources/Charges.d.ts', 'Charge', book.chargeOf(intent)),
    ...undeclared('resources/Refunds.d.ts', 'Refund', refund),
    ...undeclared('resources/Disputes.d.ts', 'Dispute', dispute ?? {}),
    ...undeclared(
      'resources/BalanceTransactions.d.ts',
      'BalanceTransaction',
      dispute?.balance_transactions[0] ?? {},
    ),
    ...undeclared('resources/Balance.d.ts', 'Balance', book.balance()),
    ...undeclared('resources/V2/Core/Accounts.d.ts', 'Account', account),
    ...undeclared(`${V2}/OutboundSetupIntents.d.ts`, 'OutboundSetupIntent', setup),
    ...undeclared(`${V2}/PayoutMethods.d.ts`, 'PayoutMethod', setup['payout_method'] as object),
    ...undeclared(`${V2}/OutboundPayments.d.ts`, 'OutboundPayment', payment),
  ]).toEqual([])
})

test('every event that is emulated, subscribed to or listed in the setup exists', async () => {
  expect(emulator.test.events.filter(({ type }) => !EVENTS.includes(type))).toEqual([])
  expect(CARD_EVENTS.filter((type) => !EVENTS.includes(type))).toEqual([])
  for (const file of ['docs/going-live.md', '.env.example']) {
    const text = await readFile(file, 'utf8')
    const named = text.match(/\b(payment_intent|charge|refund)\.[a-z_.*]*[a-z_*]/g) ?? []
    expect([file, named.toSorted()]).toEqual([file, CARD_EVENTS.toSorted()])
  }
})

test.each([
  ['usd', undefined],
  ['eur', /Stripe settles this account in EUR, and the book is kept in USD/],
])('whether a live book starts with an account that settles in %s', async (currency, sentence) => {
  emulator.live.settles = currency
  const access = { secretKey: STRIPE_KEYS.live.secret, apiUrl: emulator.url }
  const start = refuseForeignSettlement(access, silent)
  const refused = await start.catch((error: unknown) => String(error))
  if (sentence === undefined) expect(refused).toBeUndefined()
  else expect(refused).toMatch(sentence)
  emulator.fail({ status: 500, times: 2 })
  await expect(refuseForeignSettlement(access, silent)).resolves.toBeUndefined()
})
