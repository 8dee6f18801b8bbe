import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '#server/ledger/reconcile.ts'
import { openServer } from '#server/server.ts'
import { serveStripeJs } from '../emulators/stripe-js.ts'
import { builtApp, newReadyPage } from '../spec/product.ts'
import { createStripeWorld, type StripeWorld } from '../stripe/stripe-world.ts'
import { createWorld, type TestUser } from '../world/world.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { pattern } from '../world/pattern.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let world: StripeWorld
let browser: Browser
let pages: string
let url: string
let close: () => Promise<void>

beforeAll(async () => {
  ;[world, browser, pages] = await Promise.all([
    createStripeWorld({ config: { DEPOSIT_HOLD_HOURS: 72 } }),
    launchBrowser(),
    builtApp(),
  ])
  const server = await openServer(world.context, { pages })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
  close = () => server.close()
})
afterAll(async () => {
  await browser.close()
  await close()
  await world.close()
})

type Visit = { page: Page; context: BrowserContext; faults: string[] }

async function visit(path: string, user: TestUser): Promise<Visit> {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: url,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  const [name = '', value = ''] = user.cookie.split('=')
  await context.addCookies([{ name, value, url }])
  await serveStripeJs(context, world.stripe.url)
  const page = await newReadyPage(context, { isSignedIn: true })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  // Stripe answers a declined card with 402; the service worker is blocked so that no response
  // comes from it.
  page.on(
    'console',
    (message) =>
      message.type() === 'error' &&
      !/status of 402|service worker/.test(message.text()) &&
      faults.push(message.text()),
  )
  await page.goto(path)
  return { page, context, faults }
}

async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(
        ({ id, nodes }) =>
          `${name} ${colorScheme} ${id}: ` +
          `${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      ),
    ).toEqual([])
    if (SCREENS !== undefined)
      await page.screenshot({ path: `${SCREENS}/${name}-${colorScheme}.png`, fullPage: true })
  }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function enterCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiration date').fill('12/40')
  await page.getByLabel('Security code').fill('123')
}

async function toCard(page: Page): Promise<void> {
  await page.getByText('$500', { exact: true }).click()
  await press(page, 'Continue')
  await page.getByLabel('Card number').waitFor()
}

const cashOf = async (user: TestUser) => (await user.call('getUser')).availableBalance
const policyOf = async (path: string, cookie: string) =>
  String(
    (
      await fetch(url + path, { headers: { accept: 'text/html', cookie }, redirect: 'manual' })
    ).headers.get('content-security-policy'),
  )

test('users can deposit by card through Stripe, after a card was declined', async () => {
  const user = await world.user()
  const { page, faults } = await visit('/', user)
  await page.getByRole('link', { name: 'Deposit' }).click()
  await page.getByText('Choose Amount').waitFor()
  await toCard(page)
  expect(await page.getByText('Complete Payment').count()).toBe(1)
  await look(page, 'stripe-card')
  await enterCard(page, '4000000000000002')
  await press(page, 'Deposit $500.00')
  await page.getByText('Your card was declined.').first().waitFor()
  expect(await cashOf(user)).toBe('0.00')
  await enterCard(page, '4242424242424242')
  await press(page, 'Deposit $500.00')
  await page.getByText('Payment Successful').first().waitFor()
  await page.getByRole('dialog', { name: 'Card deposit' }).waitFor()
  await look(page, 'stripe-receipt')
  expect(await cashOf(user)).toBe('500.00')
  await press(page, 'Close')
  await page.getByText('Welcome back').waitFor()
  expect(faults).toEqual([])
})

test.each([
  ['Yes, pay', 'Payment Successful', '500.00', /\/\?receipt=[0-9a-f-]{36}$/, 'Total Balance'],
  ['No', 'Payment Failed', '0.00', /\/deposit$/, 'Choose Amount'],
])(
  "a card that needs a check opens its bank's page; there, '%s' leads to '%s'",
  async (answer, title, cash, address, heading) => {
    const user = await world.user()
    const { page } = await visit('/deposit', user)
    await toCard(page)
    await enterCard(page, '4000002760003184')
    await press(page, 'Deposit $500.00')
    await page.getByRole('link', { name: answer, exact: true }).click()
    await page.getByText(title).first().waitFor()
    expect(await page.evaluate(() => location.href)).toMatch(address)
    expect(await cashOf(user)).toBe(cash)
    const confirmed = world.stripe.asked.length
    await page.reload()
    await page.getByText(heading).waitFor()
    expect(world.stripe.asked.length, 'a reload repeats no request to Stripe').toBe(confirmed)
  },
)

test('a payment made while our server was unreachable is booked on retry', async () => {
  const user = await world.user()
  const { page } = await visit('/deposit', user)
  await toCard(page)
  await enterCard(page, '4242424242424242')
  await page.route('**/api/confirm-deposit', (route) => route.abort(), { times: 1 })
  await press(page, 'Deposit $500.00')
  await page.getByText('Your card was charged').waitFor()
  await look(page, 'stripe-unconfirmed')
  await press(page, 'Check again')
  await page.getByText('Payment Successful').first().waitFor()
  expect(await cashOf(user)).toBe('500.00')
})

test('if the card form cannot be loaded, the screen says so', async () => {
  const { page, context } = await visit('/deposit', await world.user())
  await context.route('https://js.stripe.com/**', (route) => route.abort())
  await page.getByText('$500', { exact: true }).click()
  await press(page, 'Continue')
  await page.getByText('The card form could not be loaded').waitFor()
  await look(page, 'stripe-unreachable')
})

describe('Stripe is used on the deposit page only', () => {
  const SCREENS_OF_THE_APP = [
    '/',
    '/withdraw',
    '/bot-config',
    '/history',
    '/help',
    '/profile',
    '/evidence',
    '/login',
    '/signup',
    '/deposits',
    '/deposit/x',
    '/nowhere',
    '/api/config',
  ]

  test('according to the content security policy of every page', async () => {
    const user = await world.user()
    for (const cookie of ['', user.cookie]) {
      expect(await policyOf('/deposit', cookie)).toMatch(
        pattern(
          /script-src 'self' [^;]*https:\/\/js\.stripe\.com .*/,
          /connect-src 'self' https:\/\/api\.stripe\.com;.*/,
          /frame-src https:\/\/js\.stripe\.com/,
        ),
      )
      expect(await policyOf('/deposit?payment_intent=pi_1', cookie)).toContain('stripe')
      for (const path of SCREENS_OF_THE_APP)
        expect([path, await policyOf(path, cookie)]).toEqual([
          path,
          expect.not.stringContaining('stripe'),
        ])
    }
  })

  test('no page uses Stripe if it is not the provider', async () => {
    const sandbox = await createWorld()
    const answer = await sandbox.app.inject({ url: '/deposit', headers: { accept: 'text/html' } })
    expect(String(answer.headers['content-security-policy'])).not.toContain('stripe')
    await sandbox.close()
  })

  test('according to requests: none before the deposit screen, no scripts afterwards', async () => {
    const { page, context } = await visit('/', await world.user())
    const asked: string[] = []
    context.on(
      'request',
      (request) =>
        new URL(request.url()).origin !== url && asked.push(new URL(request.url()).origin),
    )
    await page.getByText('Welcome back').waitFor()
    const before = await page.evaluate(() => performance.timeOrigin)
    await page.getByRole('link', { name: 'Deposit' }).click()
    await page.getByText('Choose Amount').waitFor()
    expect(
      await page.evaluate(() => performance.timeOrigin),
      'the screen is a document of its own',
    ).not.toBe(before)
    expect(asked).toEqual([])
    await toCard(page)
    expect(new Set(asked)).toEqual(new Set(['https://js.stripe.com']))
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByText('Choose Amount').waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByText('Welcome back').waitFor()
    await expect.poll(() => page.evaluate(() => 'Stripe' in window)).toBe(false)
    const blocked = await page.evaluate(() =>
      fetch('https://api.stripe.com/v1/').then(
        () => 'reached',
        () => 'blocked',
      ),
    )
    expect(blocked).toBe('blocked')
  })
})

test('the withdraw screen shows the amount on hold with its date, and the debt', async () => {
  const user = await world.user()
  const intent = await world.intent(user, '500')
  world.pay(intent)
  await user.call('confirmDeposit', { body: { paymentIntentId: intent.id } })
  const { page } = await visit('/withdraw', user)
  await page.getByRole('heading', { name: 'On hold' }).waitFor()
  await page.getByText('$500.00').waitFor()
  expect(await page.getByText('Available for withdrawal').locator('..').textContent()).toContain(
    '$0.00',
  )
  await look(page, 'withdraw-held')
  await user.call('createBot', {
    body: {
      name: 'bot',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '450',
    },
  })
  world.stripe.test.refund(intent)
  for (const event of world.stripe.test.events.slice(-2)) await world.deliver(event)
  await page.getByText('Withdrawals are paused').waitFor()
  await page.getByText('$450.00').waitFor()
  await look(page, 'withdraw-frozen')
})

test('after all these deposits the book reconciles', async () => {
  expect(await reconcile(world.context)).toEqual([])
})
