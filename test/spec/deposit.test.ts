import { afterAll, beforeAll, expect } from 'vitest'
import { answering, FAULT, holding } from './answers.ts'
import {
  absent,
  at,
  becomes,
  button,
  dialog,
  field,
  fill,
  goTo,
  heading,
  holds,
  leads,
  press,
  steps,
  text,
  equals,
  type Check,
} from './checks.ts'
import { changeFirstData } from './first-data.ts'
import { openProduct, type Product } from './product.ts'
import { screen } from './rows.ts'
import { asked } from './requests.ts'
import { destructive, toast } from './toasts.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const CARD = { Expiry: '1234', CVC: '123' }
const preset = (label: string, amount: string): Check =>
  steps(press(label), holds('Custom amount', amount))
const refuses = (amount: string, sentence: string): Check =>
  steps(
    fill({ 'Custom amount': amount }),
    press('Continue'),
    destructive('Invalid Amount', sentence),
  )
/** Reloads. The typed text is kept, and appears once the app runs. */
const reloaded = (typed: string): Check => steps(goTo('/deposit'), holds('Custom amount', typed))
const takes = (amount: string, label: string, before: string): Check =>
  steps(reloaded(before), fill({ 'Custom amount': amount }), press('Continue'), button(label))
const payWith = (number: string): Check =>
  steps(fill({ 'Card number': number, ...CARD }), press('Deposit $100.00'))
/** Closes the receipt, which covers the toast. */
const closeReceipt = steps(dialog('Card deposit'), press('Close'))
const inMethod =
  (title: string, words: string): Check =>
  (page) =>
    page
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByText(words, { exact: true })
      .waitFor()

screen(async () => product.open('/deposit', await product.world.user()), {
  '2 Deposit': {
    "title 'Deposit Funds'": heading('Deposit Funds'),
    'the back button leads to /': leads('Back', '/'),
    "'Choose Amount'": heading('Choose Amount'),
    'preset $100 fills the amount': preset('$100', '100'),
    'preset $500 fills the amount': preset('$500', '500'),
    "preset $1000, as '$1,000' in en-US format (section 1), fills the amount": preset(
      '$1,000',
      '1000',
    ),
    'a custom amount field for a number': field('Custom amount', { inputmode: 'decimal' }),
    "button 'Continue'": button('Continue'),
    "'Payment Methods'": heading('Payment Methods'),
    "'Credit/Debit Card'": text('Credit/Debit Card'),
    "under the card: 'Visa, Mastercard, American Express'": inMethod(
      'Credit/Debit Card',
      'Visa, Mastercard, American Express',
    ),
    "'Bank Transfer' is marked 'Coming soon'": inMethod('Bank Transfer', 'Coming soon'),
    'a note says that card details are not stored': text('Your card details are not stored.'),
  },
  '5 Deposit': {
    "9.99: 'Invalid Amount' / 'Minimum deposit amount is $10'": refuses(
      '9.99',
      'Minimum deposit amount is $10',
    ),
    "0: 'Invalid Amount' / 'Minimum deposit amount is $10'": refuses(
      '0',
      'Minimum deposit amount is $10',
    ),
    "nothing: 'Please enter a valid amount (minimum $10).'": refuses(
      '',
      'Please enter a valid amount (minimum $10).',
    ),
    "words: 'Please enter a valid amount (minimum $10).'": refuses(
      'ten',
      'Please enter a valid amount (minimum $10).',
    ),
    "less than nothing: 'Please enter a valid amount (minimum $10).'": refuses(
      '-50',
      'Please enter a valid amount (minimum $10).',
    ),
    "finer than the step of 0.01: 'Please enter a valid amount (minimum $10).'": refuses(
      '10.001',
      'Please enter a valid amount (minimum $10).',
    ),
    "more than 10,000: 'Maximum deposit amount is $10,000' (decision 18)": refuses(
      '10000.01',
      'Maximum deposit amount is $10,000',
    ),
    'the minimum of 10 is taken': takes('10', 'Deposit $10.00', '10000.01'),
    'a step of 0.01 is taken': takes('10.01', 'Deposit $10.01', '10'),
    '10,000 is taken (decision 18)': takes('10000', 'Deposit $10,000.00', '10.01'),
  },
  '8 Errors': {
    "Error: 'Failed to create payment intent.'": steps(
      reloaded('10000'),
      fill({ 'Custom amount': '100' }),
      answering(
        'POST /api/create-payment-intent',
        FAULT,
        press('Continue'),
        destructive('Error', 'Failed to create payment intent.'),
      ),
    ),
  },
  '4 Deposit flow': {
    'choosing an amount creates a payment session': async (page) => {
      const request = asked(page, 'POST /api/create-payment-intent')
      await press('Continue')(page)
      equals((await request).postDataJSON(), { amount: '100' })
    },
  },
  '2 Deposit, payment': {
    "'Complete Payment'": heading('Complete Payment'),
    'a card payment element: number': field('Card number', { inputmode: 'numeric' }),
    'a card payment element: expiry': field('Expiry'),
    'a card payment element: CVC': field('CVC'),
    "the submit button says 'Deposit' with the amount": button('Deposit $100.00'),
    'it says so again that card details are not stored': text('Your card details are not stored.'),
  },
  '8 Errors, payment': {
    "Payment Failed: the provider's message, 'Your card was declined.'": steps(
      payWith('4000000000000002'),
      destructive('Payment Failed', 'Your card was declined.'),
    ),
    "Payment Failed: the provider's message, 'Your card has insufficient funds.'": steps(
      payWith('4000000000009995'),
      destructive('Payment Failed', 'Your card has insufficient funds.'),
    ),
    "Payment Failed: the provider's message, 'Your card has expired.'": steps(
      fill({ 'Card number': '4242424242424242', Expiry: '0120', CVC: '123' }),
      press('Deposit $100.00'),
      destructive('Payment Failed', 'Your card has expired.'),
    ),
  },
  '4 Deposit flow, payment': {
    'the confirmation does not redirect: where the bank asks, it asks on the same page': steps(
      payWith('4000002760003184'),
      text('Your bank asks you to confirm'),
      at('/deposit'),
      press('Decline'),
      destructive('Payment Failed'),
    ),
  },
  '8 Errors, confirmation': {
    "Error: 'Failed to process deposit.'": answering(
      'POST /api/confirm-deposit',
      FAULT,
      payWith('4242424242424242'),
      destructive('Error', 'Failed to process deposit.'),
    ),
  },
  '4 Deposit flow, confirmation': {
    'on a succeeded status the server is asked to confirm, with the intent and the amount': async (
      page,
    ) => {
      const request = asked(page, 'POST /api/confirm-deposit')
      await press('Check again')(page)
      equals((await request).postDataJSON(), {
        paymentIntentId: expect.stringMatching(/^pi_/),
        amount: '100.00',
      })
    },
  },
  '8 Successes': {
    "'Payment Successful': 'Your deposit has been processed!'": steps(
      closeReceipt,
      toast('Payment Successful', 'Your deposit has been processed!'),
    ),
  },
  '4 Deposit flow, end': {
    'it returns to /, where its receipt opens (decision 31)': at('/'),
    'the balance is the new one': (page) =>
      becomes(
        () =>
          page
            .getByRole('region', { name: 'Total Balance' })
            .textContent()
            .then((all) => all?.includes('$100.00')),
        true,
      ),
    'the payment is under way: the button cannot be pressed again': steps(
      goTo('/deposit'),
      press('$100'),
      press('Continue'),
      holding('POST /api/sandbox/card-payments', payWith('4242424242424242'), (page) =>
        page
          .getByRole('button', { name: 'Processing…' })
          .and(page.locator('[aria-disabled=true]'))
          .waitFor(),
      ),
      closeReceipt,
      toast('Payment Successful'),
    ),
  },
})

const WITHOUT_PAYMENTS = changeFirstData(({ getConfig, ...data }) => ({
  ...data,
  getConfig: { ...(getConfig as object), payments: { provider: 'none' } },
}))

screen(
  async () => product.open('/deposit', await product.world.user(), { before: WITHOUT_PAYMENTS }),
  {
    '2 Deposit, no payments': {
      "no payment key: 'Payment system is currently being configured; contact support'": text(
        'Payment system is currently being configured; contact support',
      ),
      'no payment key: no amount can be chosen': absent('Choose Amount'),
    },
  },
)
