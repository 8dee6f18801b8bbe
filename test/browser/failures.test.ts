import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { failureOf, type ActionName } from '#app/api/actions-table.ts'
import { lengthOf } from '../world/length.ts'
import { changeFirstData } from '../spec/first-data.ts'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { injectWallets } from './injected-wallets.ts'
import { createInvestor } from './investor.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await createInvestor(product.world, 'ada')
  await ada.call('createBot', {
    body: {
      name: 'Other',
      riskLevel: 'moderate',
      tradingPairs: ['ETH/USDT'],
      investmentAmount: '50',
      plan: { amount: '5', every: 'month' },
    },
  })
  await ada.call('requestWithdrawal', { body: { amount: '20' } })
  for (const _ of [1, 2])
    await product.world
      .stranger()
      .call('login', { body: { username: 'ada', password: 'correct horse battery' } })
})
afterAll(() => product.close())

/** Answers without a message of ours: an internal error, a proxy's page, and a lost connection. */
const FAULTS: Record<string, (route: Route) => Promise<void>> = {
  'status 500': (route) =>
    route.fulfill({
      status: 500,
      json: { code: 'internal', message: 'Something went wrong on our side. Your money is safe.' },
    }),
  "a proxy's 502": (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  'a cut line': (route) => route.abort('connectionreset'),
}

type Step = (page: Page) => Promise<unknown>
type Walk = {
  path: string
  /** All steps up to the press that starts the action, and that press. */
  steps: readonly Step[]
  /** The toast's texts; literal if the specification fixes them. */
  says: readonly [title: string, description: string]
  /** The screen has a form, with loaded data below it. */
  form?: true
  visitor?: true
  before?: (page: Page) => Promise<unknown>
}

const press =
  (name: string | RegExp): Step =>
  (page) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .last()
      .click()
const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(text)
const inDialog =
  (name: string): Step =>
  (page) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const inQuestion =
  (name: string): Step =>
  (page) =>
    page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()

const CREDENTIALS = [fill('Username', 'somebody'), fill('Password', 'a long password')]
const TO_CARD = [
  press('$100'),
  press('Continue'),
  fill('Card number', '4242424242424242'),
  fill('Expiry', '1234'),
  fill('CVC', '123'),
]
const PAY = press('Deposit $100.00')
const BOT = '/bot-config'
/** Presses an action in the menu of Steady. */
const act =
  (name: string): Step =>
  async (page) => {
    await page.getByRole('button', { name: /^Actions for Steady/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }

/** Opens the bot's screen, whose id is known only after its creation. */
const openBot: Step = (page) =>
  page
    .getByRole('link', { name: /Steady/ })
    .first()
    .click()

const WALLET = {
  id: '0197f000-0000-7000-8000-000000000001',
  walletType: 'metamask',
  walletAddress: `0x${'ab'.repeat(20)}`,
  chainId: 1,
  chainName: 'Ethereum',
  coin: 'ETH',
  isConnected: true,
  lastBalance: '0.000000',
  lastBalanceCheck: null,
  connectedAt: '2026-01-01T00:00:00.000Z',
  disconnectedAt: null,
}
const withWallet = changeFirstData((data) => ({ ...data, listWallets: [WALLET] }))

/** A browser that allows push messages, without a push service behind it. */
async function withPush(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const key = new Uint8Array(65).buffer
    const made = {
      endpoint: 'https://fcm.googleapis.com/fcm/send/x',
      options: { applicationServerKey: null },
      getKey: () => key,
    }
    const pushManager = { getSubscription: async () => null, subscribe: async () => made }
    Object.defineProperty(navigator.serviceWorker, 'ready', {
      get: () => Promise.resolve({ pushManager }),
    })
    Object.defineProperty(Notification, 'requestPermission', { value: async () => 'granted' })
  })
}

/** An account that can be closed. */
async function withNothingLeft(page: Page): Promise<void> {
  const getClosing = { obstacles: [], cash: '0.00' }
  await changeFirstData((data) => ({ ...data, getClosing }))(page)
  await page.route(
    (url) => url.pathname === '/api/auth/closing',
    (route) => route.fulfill({ json: getClosing }),
  )
}

async function withMetaMask(page: Page): Promise<void> {
  await page.exposeFunction('signWith', () => `0x${'00'.repeat(65)}`)
  await injectWallets(page, [
    { name: 'MetaMask', rdns: 'io.metamask', address: `0x${'ab'.repeat(20)}`, isMetaMask: true },
  ])
}

/** Every action of the app. */
const WALKS: Record<ActionName, Walk> = {
  login: {
    path: '/login',
    visitor: true,
    form: true,
    steps: [...CREDENTIALS, press('Sign In')],
    says: ['Login failed', 'Please check your credentials and try again.'],
  },
  signup: {
    path: '/signup',
    visitor: true,
    form: true,
    steps: [
      ...CREDENTIALS,
      fill('First name', 'Grace'),
      fill('Last name', 'Hopper'),
      press('Create Account'),
    ],
    says: ['Signup failed', 'Please try again.'],
  },
  logout: {
    path: '/profile',
    steps: [press('Sign Out')],
    says: ['Logout failed', 'Please try again.'],
  },
  changePassword: {
    path: '/profile',
    form: true,
    steps: [
      press('Change password'),
      fill('Current password', 'correct horse battery'),
      fill('New password', 'another long password'),
      inDialog('Change password'),
    ],
    says: ['Password not changed', 'Please try again.'],
  },
  makeProof: {
    path: '/withdraw',
    form: true,
    steps: [
      fill('Amount', '25'),
      press('Request Withdrawal'),
      press('Confirm withdrawal'),
      fill('Password', 'correct horse battery'),
      inDialog('Confirm'),
    ],
    says: ['Not confirmed', 'Please try again.'],
  },
  updateUser: {
    path: '/profile',
    form: true,
    steps: [press('Edit name'), fill('First name', 'Grace'), inDialog('Save')],
    says: ['Name not changed', 'Please try again.'],
  },
  changeEmail: {
    path: '/profile',
    form: true,
    steps: [
      press(/^(Add|Change) email/),
      fill('Email', 'grace@example.com'),
      fill('Current password', 'correct horse battery'),
      inDialog('Save'),
    ],
    says: ['Email not changed', 'Please try again.'],
  },
  sendVerification: {
    path: '/profile',
    before: changeFirstData(({ getUser, ...data }) => ({
      ...data,
      getUser: { ...(getUser as object), email: 'grace@example.com' },
    })),
    steps: [press('Send again')],
    says: ['Link not sent', 'Please try again.'],
  },
  verifyEmail: {
    path: '/verify-email#token',
    visitor: true,
    form: true,
    steps: [press('Verify this address')],
    says: ['Not verified', 'Please try again.'],
  },
  requestReset: {
    path: '/forgot-password',
    visitor: true,
    form: true,
    steps: [fill('Username or email', 'somebody'), press('Send the link')],
    says: ['Link not sent', 'Please try again.'],
  },
  resetPassword: {
    path: '/reset-password#token',
    visitor: true,
    form: true,
    steps: [fill('New password', 'another long password'), press('Set password')],
    says: ['Password not changed', 'Please try again.'],
  },
  disown: {
    path: '/not-me#token',
    visitor: true,
    form: true,
    steps: [press('Lock my account')],
    says: ['Account not locked', 'Please try again.'],
  },
  closeAccount: {
    path: '/profile/data',
    form: true,
    before: withNothingLeft,
    steps: [press('Close my account'), inQuestion('Close it')],
    says: ['Account not closed', 'Please try again.'],
  },
  endSession: {
    path: '/profile',
    steps: [press(/^End (?!all)/), inQuestion('Sign out')],
    says: ['Session not ended', 'Please try again.'],
  },
  endOtherSessions: {
    path: '/profile',
    steps: [press('End all other sessions'), inQuestion('Sign out')],
    says: ['Sessions not ended', 'Please try again.'],
  },

  createBot: {
    path: '/bot-config/new',
    form: true,
    steps: [press('Create Trading Bot')],
    says: ['Failed to Create Bot', 'Failed to create trading bot.'],
  },
  updateBot: {
    path: BOT,
    steps: [act('Pause Steady')],
    says: ['Failed to Update Bot', 'Failed to update trading bot.'],
  },
  deleteBot: {
    path: BOT,
    steps: [act('Delete Steady'), inQuestion('Delete bot')],
    says: ['Failed to Delete Bot', 'Failed to delete trading bot.'],
  },
  topUpBot: {
    path: BOT,
    form: true,
    steps: [
      openBot,
      press(/^Add money/),
      fill('Amount to add', '5'),
      press('Review'),
      press('Confirm and add'),
    ],
    says: ['Failed to Add Money', 'Failed to add money to this bot.'],
  },
  takeOutOfBot: {
    path: BOT,
    form: true,
    steps: [openBot, press(/^Take money out/), press('Review'), press(/^Confirm and take out/)],
    says: ['Failed to Take Money Out', 'Failed to take money out of this bot.'],
  },
  setPlan: {
    path: BOT,
    form: true,
    steps: [openBot, press('Add regularly'), fill('Amount each time', '5'), press('Start plan')],
    says: ['Plan not changed', 'Please try again.'],
  },
  endPlan: {
    path: BOT,
    steps: [
      (page) => page.getByRole('link', { name: /Other/ }).first().click(),
      press('Edit plan'),
      press('End plan'),
    ],
    says: ['Plan not changed', 'Please try again.'],
  },
  simulateBot: {
    path: BOT,
    steps: [act('Simulate trade with Steady')],
    says: ['Trading Error', 'Failed to execute trade. Please try again.'],
  },
  stopAll: {
    path: BOT,
    steps: [press('Stop all bots'), inQuestion('Stop all')],
    says: ['Failed to Stop Bots', 'Failed to stop your trading bots.'],
  },

  createPaymentIntent: {
    path: '/deposit',
    form: true,
    steps: [press('$100'), press('Continue')],
    says: ['Error', 'Failed to create payment intent.'],
  },
  payWithSandboxCard: {
    path: '/deposit',
    form: true,
    steps: [...TO_CARD, PAY],
    says: ['Error', 'Failed to process deposit.'],
  },
  confirmDeposit: {
    path: '/deposit',
    steps: [...TO_CARD, PAY],
    says: ['Error', 'Failed to process deposit.'],
  },

  addBankAccount: {
    path: '/withdraw',
    form: true,
    steps: [
      press('Change'),
      press('Add another'),
      fill('Bank name', 'Second Bank'),
      fill('Routing number', '021000021'),
      fill('Account number', '123456'),
      inDialog('Add Bank Account'),
    ],
    says: ['Error', 'Failed to add the bank account.'],
  },
  removeBankAccount: {
    path: '/withdraw',
    steps: [press('Change'), press(/^Remove First Bank/)],
    says: ['Error', 'Failed to remove the bank account.'],
  },
  makeBankAccountDefault: {
    path: '/withdraw',
    before: changeFirstData(({ listBankAccounts, ...data }) => {
      const accounts = listBankAccounts as readonly object[]
      return {
        ...data,
        listBankAccounts: [
          ...accounts,
          { ...accounts[0], id: WALLET.id, bankName: 'Second Bank', isDefault: false },
        ],
      }
    }),
    steps: [
      press('Change'),
      (page) => page.getByRole('radio', { name: /Second Bank/ }).check({ force: true }),
    ],
    says: ['Error', 'Failed to choose the bank account.'],
  },
  requestWithdrawal: {
    path: '/withdraw',
    form: true,
    steps: [fill('Amount', '25'), press('Request Withdrawal'), press('Confirm withdrawal')],
    says: ['Withdrawal Failed', 'Failed to process withdrawal request.'],
  },
  cancelWithdrawal: {
    path: '/withdraw',
    steps: [press('Cancel'), inQuestion('Cancel it')],
    says: ['Not canceled', 'This withdrawal could not be canceled.'],
  },

  updateProtections: {
    path: '/profile/security',
    form: true,
    steps: [press('24 h'), press('Save')],
    says: ['Not saved', 'Please try again.'],
  },
  updateNoticeSettings: {
    path: '/notice-settings',
    steps: [(page) => page.getByRole('checkbox', { name: 'Deposits: Email' }).click()],
    says: ['Not saved', 'Please try again.'],
  },
  addPushDevice: {
    path: '/notice-settings',
    before: withPush,
    steps: [press('Switch on in this browser')],
    says: ['Push not switched on', 'Please try again.'],
  },
  removePushDevice: {
    path: '/notice-settings',
    before: changeFirstData(({ getNoticeSettings, ...data }) => ({
      ...data,
      getNoticeSettings: {
        ...(getNoticeSettings as object),
        devices: [{ id: WALLET.id, device: 'Firefox on Linux', createdAt: WALLET.connectedAt }],
      },
    })),
    steps: [press('Remove Firefox on Linux')],
    says: ['Not removed', 'Please try again.'],
  },
  readNotices: {
    path: '/notices',
    steps: [press('Mark all as read')],
    says: ['Not marked as read', 'Please try again.'],
  },

  askHelp: {
    path: '/help',
    steps: [press('What does it cost?')],
    says: ['Chat Error', 'Failed to get AI response. Please try again.'],
  },

  verifyWallet: {
    path: '/profile',
    before: withMetaMask,
    steps: [press('Connect MetaMask'), press('Sign & Verify Wallet')],
    says: ['Verification failed', 'Failed to complete wallet verification.'],
  },
  disconnectWallet: {
    path: '/profile',
    before: withWallet,
    steps: [press(/^Disconnect 0x/)],
    says: ['Disconnection failed', 'Failed to disconnect wallet. Please try again.'],
  },
  getWalletBalance: {
    path: '/profile',
    before: withWallet,
    steps: [press(/^Refresh balance of 0x/)],
    says: ['Balance refresh failed', 'Failed to fetch wallet balance from blockchain.'],
  },
}

async function openWith(
  fault: (route: Route) => Promise<void>,
  { walk, name }: { walk: Walk; name: ActionName },
): Promise<Page> {
  const { method, path } = routes[name]
  const pattern = new RegExp(`^${path.replace(':id', '[^/]+')}$`)
  const isAction = (route: Route) =>
    route.request().method() === method && pattern.test(new URL(route.request().url()).pathname)
  const before = async (page: Page) => {
    await walk.before?.(page)
    await page.route('**/api/**', (route) => (isAction(route) ? fault(route) : route.fallback()))
  }
  const page = await product.open(walk.path, walk.visitor ? undefined : ada, { before })
  return page
}

/** Finds the toast behind a sheet too, which hides the rest of the page from screen readers. */
async function seesToast(page: Page, says: Walk['says']): Promise<void> {
  const toast = page
    .getByRole('region', { name: /^Notifications/, includeHidden: true })
    .locator('li')
  for (const words of says) await toast.getByText(words, { exact: true }).waitFor()
}

/**
 * Number of faults per action. By default one, in turn, because actions share their handling of
 * faults.
 */
const EACH_MEETS = lengthOf({ usual: 1, full: Object.keys(FAULTS).length })

function faultsFor(name: ActionName): string[] {
  const faults = Object.keys(FAULTS)
  const first = Object.keys(WALKS).indexOf(name) % faults.length
  return [...faults.slice(first), ...faults.slice(0, first)].slice(0, EACH_MEETS)
}

describe.each(Object.keys(WALKS) as ActionName[])(
  'D %s that fails without a sentence of ours',
  (name) => {
    const walk = WALKS[name]
    test.each(faultsFor(name))('the action has its own message after %s', async (fault) => {
      const page = await openWith(FAULTS[fault] ?? (() => Promise.resolve()), { walk, name })
      for (const step of walk.steps) await step(page)
      await seesToast(page, walk.says)
      if (walk.form) {
        const { besides = 'Please try again.' } = failureOf(name)
        const where =
          fault === 'a cut line'
            ? "We couldn't reach the server."
            : 'Something went wrong on our side.'
        await page.getByText(`${where} ${besides}`, { exact: true }).waitFor()
      }
      await page.context().close()
    })
  },
)

test("a network's sign-in page instead of a response counts as no response", async () => {
  const page = await openWith(
    (route) =>
      route.fulfill({
        status: 200,
        contentType: 'text/html',
        body: '<h1>Sign in to this network</h1>',
      }),
    {
      walk: WALKS.requestWithdrawal,
      name: 'requestWithdrawal',
    },
  )
  for (const step of WALKS.requestWithdrawal.steps) await step(page)
  await seesToast(page, WALKS.requestWithdrawal.says)
  await page.getByText(/^We couldn't reach the server\./).waitFor()
  await page.context().close()
})

/** Makes the app's own time-out elapse at once; a proxy has one of its own. */
const endTimeOuts: Step = (page) =>
  page.evaluate(() =>
    Object.assign(AbortSignal, {
      timeout: () => AbortSignal.abort(new DOMException('', 'TimeoutError')),
    }),
  )

test.each<[server: string, answer: (route: Route) => Promise<void>, before: Step]>([
  ['our own', () => Promise.resolve(), endTimeOuts],
  [
    "a proxy's",
    (route) =>
      route.fulfill({
        status: 504,
        contentType: 'text/html',
        body: '<h1>504 Gateway Timeout</h1>',
      }),
    () => Promise.resolve(),
  ],
])(
  'a call ended by %s time-out is reported as slow, not as an unreachable server',
  async (_server, answer, before) => {
    const page = await openWith(answer, {
      walk: WALKS.requestWithdrawal,
      name: 'requestWithdrawal',
    })
    const steps = WALKS.requestWithdrawal.steps
    for (const step of [...steps.slice(0, -1), before, ...steps.slice(-1)]) await step(page)
    await seesToast(page, WALKS.requestWithdrawal.says)
    await page
      .getByText(
        'This takes longer than usual. Please try again. Your money is never withdrawn twice.',
        { exact: true },
      )
      .waitFor()
    await page.context().close()
  },
)

test('a refusal with a reason of ours shows only its own message', async () => {
  const refuse = (route: Route) =>
    route.fulfill({
      status: 422,
      json: {
        code: 'withdrawal-above-available',
        message: 'Withdrawal amount exceeds available balance',
      },
    })
  const page = await openWith(refuse, { walk: WALKS.requestWithdrawal, name: 'requestWithdrawal' })
  for (const step of WALKS.requestWithdrawal.steps) await step(page)
  await page.getByText('Withdrawal amount exceeds available balance').first().waitFor()
  expect(await page.getByText(/Please try again/).count()).toBe(0)
  await page.context().close()
})

test('a call overtaken by a new session is repeated, and signs nobody out', async () => {
  const page = await product.open('/history', await product.world.user())
  let refused = 0
  await page.route('**/api/portfolio', (route) => {
    refused += 1
    return refused > 1
      ? route.fallback()
      : route.fulfill({ status: 401, json: { code: 'not-signed-in', message: 'Sign in first.' } })
  })
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('No active bots').waitFor()
  await expect.poll(() => refused).toBeGreaterThan(1)
  await page.waitForTimeout(1_000)
  expect(new URL(page.url()).pathname).toBe('/')
  await page.context().close()
})
