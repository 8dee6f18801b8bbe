import type { Page } from 'playwright-core'
import { confirmPerson, CONFIRMATION } from './confirm-person.ts'

/**
 * figure: digits, which may be separated · amount: money or a percentage · text: kept as typed,
 * without surrounding blanks · secret: every character counts.
 */
type Kind = 'figure' | 'amount' | 'text' | 'secret'

/** `wrong`: a text that the field's check refuses; undefined if there is none. */
type TypedField = { label: string | RegExp; kind: Kind; good: string; wrong?: string }

/**
 * A form: the file that renders it, how to get to it, its text fields in their order, its button,
 * and the heading of the step after it, if that comes before anything is sent.
 */
export type TriedForm = {
  file: string
  who: 'nobody' | 'ada' | 'keeper' | 'saver'
  path: string
  steps: readonly ((page: Page) => Promise<unknown>)[]
  fields: readonly TypedField[]
  send: string | RegExp
  /** The button of the step that shows the amount for review. */
  review?: RegExp
  /** The button that then sends it. */
  confirm?: string
  /**
   * The result for an empty form, unless it is refused: its fields are optional, or its button is
   * disabled.
   */
  empty?: 'sent' | 'disabled'
}

const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
const fill = (label: string, text: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill(text)
const inDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const act = (action: string) => async (page: Page) => {
  await press('Actions for Steady')(page)
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
const uncheckAll = async (page: Page) => {
  await page.getByRole('checkbox').first().waitFor({ state: 'attached' })
  const checked = page.getByRole('checkbox', { checked: true })
  while ((await checked.count()) > 0) await checked.first().uncheck({ force: true })
}
const BANK = [
  { label: 'Bank name', kind: 'text', good: 'First Bank', wrong: ' ' },
  { label: 'Routing number', kind: 'figure', good: '021000021', wrong: '021000022' },
  { label: 'Account number', kind: 'figure', good: '0001234567890123', wrong: '0000' },
] as const satisfies TypedField[]
const addBank = [
  press(/^(Change|Add Bank Account)$/),
  ...BANK.map(({ label, good }) => fill(label, good)),
  inDialog('Add Bank Account'),
] as const
const startAuthenticator = async (page: Page): Promise<void> => {
  await press('Set up an authenticator app')(page)
  const [field, question] = [
    page.getByLabel('Six-digit code'),
    page.getByRole('dialog', { name: CONFIRMATION }),
  ]
  await field.or(question).first().waitFor()
  if (await question.isVisible()) await confirmPerson(page)
  await field.waitFor()
}
const password = (label: string): TypedField => ({
  label,
  kind: 'secret',
  good: 'a very long password',
  wrong: '',
})
const guard = (label: RegExp): TypedField => ({ label, kind: 'amount', good: '12', wrong: 'abc' })
const name = (label: string): TypedField => ({ label, kind: 'text', good: 'Ada', wrong: ' ' })
const amount = (label: string | RegExp): TypedField => ({
  label,
  kind: 'amount',
  good: '15.50',
  wrong: 'abc',
})

export const FORMS: readonly TriedForm[] = [
  {
    file: 'auth/login-screen.tsx',
    who: 'nobody',
    path: '/login',
    steps: [],
    fields: [
      { label: 'Username', kind: 'text', good: 'nobody-here', wrong: ' ' },
      password('Password'),
    ],
    send: 'Sign In',
  },
  {
    file: 'auth/signup-screen.tsx',
    who: 'nobody',
    path: '/signup',
    steps: [],
    send: 'Create Account',
    fields: [
      { label: 'Username', kind: 'text', good: 'grace-h', wrong: 'a b c' },
      password('Password'),
      name('First name'),
      name('Last name'),
      { label: /^Email/, kind: 'text', good: 'grace@example.com', wrong: 'grace' },
    ],
  },
  {
    file: 'auth/forgot-password-screen.tsx',
    who: 'nobody',
    path: '/forgot-password',
    steps: [],
    fields: [{ label: 'Username or email', kind: 'text', good: 'grace', wrong: ' ' }],
    send: 'Send the link',
  },
  {
    file: 'auth/reset-password-screen.tsx',
    who: 'nobody',
    path: '/reset-password#token',
    steps: [],
    fields: [password('New password')],
    send: 'Set password',
  },
  {
    file: 'bots/add-money-sheet.tsx',
    who: 'ada',
    path: '/bot-config',
    steps: [act('Add money to Steady')],
    fields: [amount('Amount to add')],
    send: 'Review',
    review: /^You add/,
    confirm: 'Confirm and add',
  },
  {
    file: 'bots/edit-bot-sheet.tsx',
    who: 'ada',
    path: '/bot-config',
    steps: [act('Edit Steady'), uncheckAll],
    fields: [],
    send: 'Review',
  },
  {
    file: 'bots/bot-guards.tsx',
    who: 'ada',
    path: '/bot-config/:id',
    steps: [press(/^Set guards/)],
    send: 'Save',
    empty: 'sent',
    fields: [
      guard(/^Stop at a loss of/),
      guard(/^Take profit at a gain of/),
      guard(/^Pause after a daily loss of/),
      guard(/^Restart after/),
    ],
  },
  {
    file: 'bots/new-bot-form.tsx',
    who: 'ada',
    path: '/bot-config/new',
    steps: [],
    send: 'Create Trading Bot',
    fields: [
      amount('Investment amount'),
      { label: 'Bot name', kind: 'text', good: 'Second', wrong: ' ' },
    ],
  },
  {
    file: 'bots/bot-plan.tsx',
    who: 'ada',
    path: '/bot-config/:id',
    steps: [press('Add regularly')],
    fields: [amount('Amount each time'), amount('Return everything above this worth (optional)')],
    send: 'Start plan',
  },
  {
    file: 'bots/bot-menu.tsx',
    who: 'ada',
    path: '/bot-config',
    steps: [act('Rename Steady')],
    fields: [{ label: 'Bot name', kind: 'text', good: 'Steadier', wrong: ' ' }],
    send: 'Save name',
  },
  {
    file: 'bots/take-out-sheet.tsx',
    who: 'ada',
    path: '/bot-config',
    steps: [act('Take money out of Steady')],
    send: 'Review',
    review: /^You take out \d/,
    confirm: 'Confirm and take out 30%',
    fields: [{ label: 'Share to take out', kind: 'amount', good: '30', wrong: 'abc' }],
  },
  {
    file: 'deposits/amount-step.tsx',
    who: 'ada',
    path: '/deposit',
    steps: [],
    fields: [{ ...amount('Custom amount'), good: '150.50' }],
    send: 'Continue',
  },
  {
    file: 'deposits/payment-step.tsx',
    who: 'ada',
    path: '/deposit',
    steps: [fill('Custom amount', '100'), press('Continue')],
    send: /^Deposit \$/,
    fields: [
      { label: 'Card number', kind: 'figure', good: '4242424242424242', wrong: '4242' },
      { label: 'Expiry', kind: 'figure', good: '12/34', wrong: '13/34' },
      { label: 'CVC', kind: 'figure', good: '123', wrong: '1' },
    ],
  },
  {
    file: 'help/help-screen.tsx',
    who: 'nobody',
    path: '/help',
    steps: [],
    fields: [{ label: 'Your question', kind: 'text', good: 'What does it cost?' }],
    send: 'Send',
    empty: 'disabled',
  },
  {
    file: 'notices/notice-settings-screen.tsx',
    who: 'ada',
    path: '/notice-settings',
    steps: [],
    fields: [amount('Notify me at a loss of')],
    send: 'Save',
    empty: 'sent',
  },
  {
    file: 'notices/webhook-form.tsx',
    who: 'ada',
    path: '/notice-settings',
    steps: [
      press('Add a webhook'),
      (page) =>
        page.getByRole('dialog').getByRole('checkbox', { name: 'Deposits' }).check({ force: true }),
    ],
    fields: [
      {
        label: 'Address',
        kind: 'text',
        good: 'https://hooks.bots-receiver.com/x',
        wrong: ' ',
      },
    ],
    send: 'Save',
  },
  {
    file: 'profile/change-email-sheet.tsx',
    who: 'ada',
    path: '/profile',
    steps: [press('Add email')],
    send: 'Save',
    fields: [
      { label: 'Email', kind: 'text', good: 'ada@example.com', wrong: 'ada' },
      password('Current password'),
    ],
  },
  {
    file: 'profile/change-password-sheet.tsx',
    who: 'ada',
    path: '/profile',
    steps: [press('Change password')],
    fields: [password('Current password'), password('New password')],
    send: 'Change password',
  },
  {
    file: 'profile/edit-name-sheet.tsx',
    who: 'ada',
    path: '/profile',
    steps: [press('Edit name')],
    fields: [name('First name'), name('Last name')],
    send: 'Save',
  },
  {
    file: 'proofs/proof-sheet.tsx',
    who: 'keeper',
    path: '/withdraw',
    steps: addBank,
    fields: [{ label: 'Recovery code', kind: 'text', good: 'k3f9w-07xqa', wrong: ' ' }],
    send: 'Confirm',
  },
  {
    file: 'proofs/proof-sheet.tsx',
    who: 'ada',
    path: '/withdraw',
    steps: addBank,
    fields: [password('Password')],
    send: 'Confirm',
  },
  {
    file: 'security/authenticator-part.tsx',
    who: 'ada',
    path: '/profile/security',
    steps: [startAuthenticator],
    send: 'Confirm',
    fields: [{ label: 'Six-digit code', kind: 'figure', good: '012345', wrong: '1' }],
  },
  {
    file: 'security/make-key-sheet.tsx',
    who: 'ada',
    path: '/profile/security',
    steps: [
      press('Make a key'),
      (page) => page.getByRole('radio', { name: /create, pause/ }).check({ force: true }),
    ],
    send: 'Make the key',
    fields: [
      name('Name'),
      { label: 'Open bots at most', kind: 'amount', good: '5', wrong: '101' },
      amount('Amount for new bots a day'),
      { label: /^Works only from/, kind: 'text', good: '203.0.113.0/24', wrong: 'anywhere' },
    ],
  },
  {
    file: 'security/passkey-part.tsx',
    who: 'keeper',
    path: '/profile/security',
    steps: [press('Rename Phone')],
    fields: [name('Name')],
    send: 'Save',
  },
  {
    file: 'security/withdrawals-part.tsx',
    who: 'ada',
    path: '/profile/security',
    steps: [],
    fields: [amount('Maximum within 24 hours')],
    send: 'Save',
    empty: 'sent',
  },
  {
    file: 'withdrawals/bank-account-card.tsx',
    who: 'ada',
    path: '/withdraw',
    steps: [press(/^(Change|Add Bank Account)$/)],
    fields: BANK,
    send: 'Add Bank Account',
  },
  {
    file: 'withdrawals/withdraw-form.tsx',
    who: 'saver',
    path: '/withdraw',
    steps: [],
    fields: [{ ...amount('Amount'), wrong: '1.001' }],
    send: 'Request Withdrawal',
    review: /^You withdraw$/,
    confirm: 'Confirm withdrawal',
    empty: 'disabled',
  },
]
