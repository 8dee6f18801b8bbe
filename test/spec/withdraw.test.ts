import { afterAll, beforeAll, expect } from 'vitest'
import { confirmPerson } from '../browser/confirm-person.ts'
import { answering, FAULT, holding } from './answers.ts'
import {
  at,
  becomes,
  button,
  dialog,
  disabled,
  enabled,
  field,
  fill,
  follow,
  heading,
  holds,
  leads,
  press,
  steps,
  text,
  equals,
  withoutLoading,
  type Check,
} from './checks.ts'
import { openProduct, type Product } from './product.ts'
import { asked, listen } from './requests.ts'
import { screen } from './rows.ts'
import { destructive, toast } from './toasts.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const share = (name: string, amount: string): Check => steps(press(name), holds('Amount', amount))
/** Submits the form without its button, like the Enter key. */
const send: Check = (page) =>
  page
    .locator('form')
    .first()
    .evaluate((form: HTMLFormElement) => form.requestSubmit())
const refuses = (amount: string, title: string, sentence: string): Check =>
  steps(fill({ Amount: amount }), send, destructive(title, sentence))
const pressed = (amount: string, title: string, sentence: string): Check =>
  steps(fill({ Amount: amount }), press('Request Withdrawal'), destructive(title, sentence))
const INVALID = ['Invalid Amount', 'Please enter a valid withdrawal amount'] as const
const BANK = {
  'Bank name': 'First Bank',
  'Routing number': '021000021',
  'Account number': '000123456789',
}

let heard: string[] = []
let receipt = ''

async function openWithdraw() {
  const user = await product.world.user()
  await user.deposit('333.33')
  return product.open('/withdraw', user)
}

screen(openWithdraw, {
  '2 Withdraw': {
    "title 'Withdraw Funds'": heading('Withdraw Funds'),
    'a back button leads to /': leads('Back', '/'),
    "'Available for withdrawal'": text('Available for withdrawal'),
    'the available balance': text('$333.33'),
    'an amount field for a number': field('Amount', { inputmode: 'decimal' }),
    "shortcut '25%' fills that share with 2 decimals": share('25%', '83.33'),
    "shortcut '50%' fills that share with 2 decimals": share('50%', '166.66'),
    "shortcut '75%' fills that share with 2 decimals": share('75%', '249.99'),
    "shortcut 'Max' fills all of it": share('Max', '333.33'),
    "'Bank Account' card": heading('Bank Account'),
    "without an account: 'No bank account on file'": text('No bank account on file'),
    "without an account: button 'Add Bank Account'": button('Add Bank Account'),
    'note: processing takes 1-3 business days': text('Processing takes 1-3 business days.'),
    "button 'Request Withdrawal'": button('Request Withdrawal'),
  },
  '5 Withdrawal': {
    'submit is disabled when the amount is empty': steps(
      fill({ Amount: '' }),
      disabled('Request Withdrawal'),
    ),
    'submit is disabled when the amount is 0': steps(
      fill({ Amount: '0' }),
      disabled('Request Withdrawal'),
    ),
    'submit is disabled when the amount is below 0': steps(
      fill({ Amount: '-5' }),
      disabled('Request Withdrawal'),
    ),
    'submit is enabled above 0': steps(fill({ Amount: '0.01' }), enabled('Request Withdrawal')),
    "empty: 'Invalid Amount' / 'Please enter a valid withdrawal amount'": refuses('', ...INVALID),
    "0: 'Invalid Amount' / 'Please enter a valid withdrawal amount'": refuses('0', ...INVALID),
    "words: 'Invalid Amount' / 'Please enter a valid withdrawal amount' (decision 35)": pressed(
      'all',
      ...INVALID,
    ),
    "finer than the step of 0.01: 'Invalid Amount' (decision 35)": pressed('20.001', ...INVALID),
    "above the balance: 'Insufficient Balance' / 'Withdrawal amount exceeds available balance'":
      refuses('333.34', 'Insufficient Balance', 'Withdrawal amount exceeds available balance'),
    "below 10: 'Minimum Withdrawal' / 'Minimum withdrawal amount is $10'": refuses(
      '9.99',
      'Minimum Withdrawal',
      'Minimum withdrawal amount is $10',
    ),
    "without a bank account: 'Add a bank account first' (decision 17)": refuses(
      '10',
      'Withdrawal Failed',
      'Add a bank account first',
    ),
  },
  '2 Withdraw, bank account': {
    "'Add Bank Account' opens a form": steps(
      press('Add Bank Account'),
      heading('Add Bank Account'),
    ),
    'a routing number without a valid checksum is refused (decision 10)': steps(
      fill({ ...BANK, 'Routing number': '021000022' }),
      (page) => page.getByRole('dialog').getByRole('button', { name: 'Add Bank Account' }).click(),
      text('Please enter a valid US routing number.'),
    ),
    'a routing number of zeros is refused (decision 10)': steps(
      fill({ ...BANK, 'Routing number': '000000000' }),
      (page) => page.getByRole('dialog').getByRole('button', { name: 'Add Bank Account' }).click(),
      text('Please enter a valid US routing number.'),
    ),
    "the first account's bank name and the last 4 digits": steps(
      fill(BANK),
      (page) => page.getByRole('dialog').getByRole('button', { name: 'Add Bank Account' }).click(),
      confirmPerson,
      text('First Bank •••• 6789'),
    ),
    "with an account: button 'Change'": button('Change'),
    "'Change' opens the accounts on file": steps(
      press('Change'),
      text('checking •••• 6789'),
      press('Done'),
    ),
  },
  '8 Errors': {
    "Withdrawal Failed: 'Failed to process withdrawal request.'": steps(
      fill({ Amount: '25' }),
      press('Request Withdrawal'),
      answering(
        'POST /api/withdrawal-requests',
        FAULT,
        press('Confirm withdrawal'),
        destructive('Withdrawal Failed', 'Failed to process withdrawal request.'),
      ),
    ),
  },
  '7 Calls': {
    'POST /api/withdrawal-requests: amount as a string and the first account': async (page) => {
      heard = listen(page)
      const request = asked(page, 'POST /api/withdrawal-requests')
      await holding(
        'POST /api/withdrawal-requests',
        press('Confirm withdrawal'),
        button('Requesting…'),
      )(page)
      await confirmPerson(page)
      equals((await request).postDataJSON(), {
        amount: '25',
        bankAccountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
    },
  },
  '8 Successes': {
    "'Withdrawal Requested': submitted, processed within 1-3 business days": steps(
      dialog('Withdrawal to First Bank ••6789'),
      async (page) => void (receipt = page.url()),
      press('Close'),
      toast(
        'Withdrawal Requested',
        'Your withdrawal request has been submitted and will be ' +
          'processed within 1-3 business days.',
      ),
    ),
  },
  '4 Withdraw success': {
    'back at /': at('/'),
    'the user is refreshed': () => becomes(() => heard.includes('GET /api/auth/user'), true),
    'its receipt opens there, at an address of its own (decision 31)': steps(
      (page) => page.goto(receipt),
      dialog('Withdrawal to First Bank ••6789'),
    ),
    "the request starts 'pending'": (page) =>
      page.getByRole('dialog').getByText('pending', { exact: true }).waitFor(),
    'it can be canceled there while it is pending (decision 31)': button('Cancel withdrawal'),
    'withdrawal requests are refreshed: the new one stands in the list': steps(
      press('Close'),
      withoutLoading(
        steps(
          follow('Withdraw'),
          at('/withdraw'),
          heading('Open requests'),
          text(/\$25\.00/),
          text(/First Bank •••• 6789/),
        ),
      ),
    ),
    'the money is held: it is no longer available (decision 17)': text('$308.33'),
    'it can be canceled while it is pending (decision 17)': steps(
      press('Cancel'),
      text('Cancel this withdrawal?'),
      press('Cancel it'),
      toast('Withdrawal canceled', 'The money is back in your available balance.'),
    ),
  },
})
