import { setTimeout as delay } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allScreens } from '#contract/screens.ts'
import { FIRST_PAIRS } from '#core/bots/first-bot.ts'
import {
  waitUntilInteractive,
  isInteractive,
  openProduct,
  type OpenOptions,
  type Product,
} from '../spec/product.ts'
import { caughtUp, nameOf } from '../spec/requests.ts'
import type { TestUser } from '../world/world.ts'
import { createInvestor } from './investor.ts'

const PASSWORD = 'correct horse battery'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await createInvestor(product.world, 'ada')
})
afterAll(() => product.close())

/** Longer than every time-out of the page. */
const LONG_MS = 600_000

/** Every screen with an address of its own. */
const EARLY_SCREENS = allScreens
  .filter(({ path }) => !path.includes(':'))
  .map(({ path, access }) => ({ path, isVisitor: access === 'visitor' }))

type Early = { page: Page; letScriptsCome: () => void; requests: Request[]; opened: number }

const navigationsIn = (requests: readonly Request[]): number =>
  requests.filter((request) => request.isNavigationRequest()).length

/** Opens a page whose scripts do not arrive until `letScriptsCome` is called. */
async function openEarly(path: string, user?: TestUser, options: OpenOptions = {}): Promise<Early> {
  let letGo = (): void => undefined
  const over = new Promise<void>((resolve) => (letGo = resolve))
  const requests: Request[] = []
  const before = async (page: Page) => {
    page.on('request', (request) => requests.push(request))
    await options.before?.(page)
    await page.route('**/assets/*.js', async (route) => {
      await over
      await route.continue()
    })
  }
  const page = await product.open(path, user, { ...options, before, isEarly: true })
  // Counts navigations, because a server that is too busy sends a page that reloads itself.
  return { page, letScriptsCome: letGo, requests, opened: navigationsIn(requests) }
}

/** The bodies of all requests to `call` so far. */
async function bodiesOf({ page, requests }: Early, call: string): Promise<unknown[]> {
  await caughtUp(page)
  return requests
    .filter((request) => nameOf(request) === call)
    .map((request) => request.postDataJSON() as unknown)
}

/** Number of navigations since the page opened. */
async function navigations({ page, requests, opened }: Early): Promise<number> {
  await caughtUp(page)
  return navigationsIn(requests) - opened
}

describe('before the scripts have loaded', () => {
  test('a submitted login is stored, not sent by the browser, and signs in once', async () => {
    const user = await product.world.user()
    const early = await openEarly('/login')
    const { page, letScriptsCome, requests } = early
    await page.getByLabel('Username').fill(user.username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByLabel('Password', { exact: true }).press('Enter')
    expect([
      await isInteractive(page),
      new URL(page.url()).search,
      await navigations(early),
    ]).toEqual([false, '', 0])
    letScriptsCome()
    await page.getByText('Welcome back, Ada').waitFor()
    expect(await bodiesOf(early, 'POST /api/auth/login')).toEqual([
      { username: user.username, password: PASSWORD },
    ])
    expect(requests.filter((request) => request.url().includes('correct'))).toEqual([])
    await page.context().close()
  })

  test('a submitted form puts no password into a URL, and is sent only once', async () => {
    const early = await openEarly('/signup')
    const { page } = early
    await page.getByLabel('Username').fill('early')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Username').press('Enter')
    await page.evaluate(() => document.forms[0]?.requestSubmit())
    expect(await page.evaluate(() => document.forms[0]?.method)).toBe('post')
    expect([new URL(page.url()).search, await navigations(early)]).toEqual(['', 0])
    await page.context().close()
  })

  test('each press of an arrow key on tabs is replayed', async () => {
    const { page, letScriptsCome } = await openEarly('/history', ada)
    const tabs = page.getByRole('tab')
    await tabs.first().press('ArrowRight')
    await tabs.first().press('ArrowRight')
    expect(await tabs.first().getAttribute('aria-selected')).toBe('true')
    letScriptsCome()
    await page.waitForFunction(
      () => document.querySelectorAll('[role=tab]')[2]?.getAttribute('aria-selected') === 'true',
    )
    await page.context().close()
  })

  test('the app reads a value that the browser filled in silently', async () => {
    const early = await openEarly('/deposit', ada)
    const { page, letScriptsCome } = early
    await page
      .getByLabel('Custom amount')
      .evaluate((field) => Object.assign(field, { value: '25' }))
    letScriptsCome()
    await waitUntilInteractive(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Complete Payment').waitFor()
    expect(await bodiesOf(early, 'POST /api/create-payment-intent')).toEqual([{ amount: '25' }])
    await page.context().close()
  })

  test('presses are replayed in order, each once', async () => {
    const early = await openEarly('/deposit', ada)
    const { page, letScriptsCome } = early
    await page.getByLabel('Custom amount').fill('77')
    await page.getByRole('button', { name: '$500' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await isInteractive(page)).toBe(false)
    letScriptsCome()
    await page.getByText('Complete Payment').waitFor()
    expect(await bodiesOf(early, 'POST /api/create-payment-intent')).toEqual([{ amount: '500' }])
    await page.context().close()
  })

  test('an amount typed after pressing a shortcut replaces it', async () => {
    const { page, letScriptsCome } = await openEarly('/withdraw', ada)
    await page.getByRole('button', { name: '25%' }).click()
    await page.getByLabel('Amount').pressSequentially('12')
    letScriptsCome()
    await waitUntilInteractive(page)
    expect(await page.getByLabel('Amount').inputValue()).toBe('12')
    await page.getByRole('button', { name: 'Request Withdrawal' }).click()
    await page.getByText('$12.00').first().waitFor()
    await page.context().close()
  })

  test.each([
    { when: 'before the app is there', early: '7', late: '7' },
    { when: 'once the app is there', early: '', late: '77' },
  ])('an amount typed $when replaces the one stored by the tab', async ({ early, late }) => {
    const { page, letScriptsCome } = await openEarly('/deposit', ada)
    await page.evaluate(
      (id) => sessionStorage.setItem(`kept.deposit.${id}`, '{"typed":"25"}'),
      ada.id,
    )
    const amount = page.getByLabel('Custom amount')
    await amount.focus()
    await page.keyboard.type(early)
    letScriptsCome()
    await waitUntilInteractive(page)
    await expect.poll(() => amount.inputValue()).toBe(early || '25')
    await page.keyboard.type(late)
    expect(await amount.inputValue()).toBe('77')
    await page.context().close()
  })

  test('checkboxes and radio buttons stay as the user set them', async () => {
    const { page, letScriptsCome } = await openEarly('/bot-config/new', ada)
    await page.getByText('Aggressive', { exact: true }).click()
    await page.getByText('Choose', { exact: true }).click()
    const pairs = page.getByRole('group', { name: 'Trading pairs' })
    for (const pair of ['BTC/USDT', 'SOL/USDT', 'XRP/USDT', 'BNB/USDT', 'ADA/USDT', 'ADA/USDT'])
      await pairs.getByText(pair).click()
    letScriptsCome()
    await page.getByRole('heading', { name: /^Your Aggressive bot on ETH with/ }).waitFor()
    expect(await page.getByRole('radio', { name: /Aggressive/ }).isChecked()).toBe(true)
    await page.context().close()
  })

  test('a bot is created once, with the name and amount typed early', async () => {
    const early = await openEarly('/bot-config/new', ada)
    const { page, letScriptsCome } = early
    await page.getByLabel('Bot name').fill('Early')
    await page.getByLabel('Investment amount').fill('50')
    for (let press = 0; press < 2; press += 1)
      await page.getByRole('button', { name: 'Create Trading Bot' }).click()
    letScriptsCome()
    await page.getByText('Bot Created').first().waitFor()
    const created = {
      name: 'Early',
      riskLevel: 'moderate',
      tradingPairs: [...FIRST_PAIRS],
      investmentAmount: '50',
    }
    expect(await bodiesOf(early, 'POST /api/trading-bots')).toEqual([created])
    await page.context().close()
  })

  test('a button opens its sheet once the app has loaded', async () => {
    const { page, letScriptsCome } = await openEarly('/', ada)
    await page.getByRole('button', { name: 'Balance breakdown' }).click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    letScriptsCome()
    await page.getByRole('dialog').getByText('Available cash').first().waitFor()
    await page.context().close()
  })

  test('Enter sends a question', async () => {
    const early = await openEarly('/help', ada)
    const { page, letScriptsCome } = early
    await page.getByLabel('Your question').fill('What does it cost?')
    await page.getByLabel('Your question').press('Enter')
    expect(await page.getByLabel('Your question').inputValue()).toBe('What does it cost?')
    letScriptsCome()
    await page.getByRole('list', { name: 'Articles' }).waitFor()
    expect(await bodiesOf(early, 'POST /api/chat/help')).toEqual([
      { message: 'What does it cost?' },
    ])
    await page.context().close()
  })

  test('a press is confirmed at once as stored, until the app handles it', async () => {
    const { page, letScriptsCome } = await openEarly('/', ada)
    const hide = page.getByRole('button', { name: 'Hide balance' })
    await hide.click()
    expect(
      await hide.evaluate((button) => [
        button.matches('[data-waiting]'),
        button.ariaBusy,
        getComputedStyle(button).outlineStyle,
      ]),
    ).toEqual([true, 'true', 'dashed'])
    letScriptsCome()
    await page.getByText('Balance hidden').first().waitFor()
    expect(await page.locator('[data-waiting]').count()).toBe(0)
    await page.context().close()
  })

  test('typed text in the form of a new bot is kept and does not count as a press', async () => {
    const { page, letScriptsCome } = await openEarly('/bot-config/new', ada)
    const look = () =>
      page
        .locator('main form')
        .evaluate((form) => [
          form.matches('[data-draft]'),
          form.ariaBusy,
          getComputedStyle(form).outlineStyle,
        ])
    expect(await look()).toEqual([true, null, 'none'])
    letScriptsCome()
    await waitUntilInteractive(page)
    expect(await look()).toEqual([true, null, 'none'])
    await page.context().close()
  })

  test('a press is stored however long scripts load and wherever the user scrolls', async () => {
    const { page, letScriptsCome } = await openEarly('/', ada, {
      before: (opened) => opened.clock.install(),
    })
    await page.getByRole('button', { name: 'Balance breakdown' }).click()
    await page.evaluate(() => window.scrollTo(0, 600))
    await page.clock.runFor(LONG_MS)
    expect(await page.locator('[data-waiting]').count()).toBe(1)
    letScriptsCome()
    await page.getByRole('dialog').waitFor()
    await page.context().close()
  })

  test('a press is reported as lost if its button is gone once the app has loaded', async () => {
    const { page, letScriptsCome } = await openEarly('/', ada)
    await page.getByRole('button', { name: 'Balance breakdown' }).click()
    await page.locator('[data-waiting]').evaluate((button) => button.remove())
    letScriptsCome()
    await page.getByText('Please press again').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.context().close()
  })

  describe.each(EARLY_SCREENS)('on $path', ({ path, isVisitor }) => {
    test('every button that can be pressed has its press stored, whatever the delay', async () => {
      const { page } = await openEarly(path, isVisitor ? undefined : ada, {
        before: (opened) => opened.clock.install(),
      })
      const pressed = await page.evaluate(() => {
        const buttons = [
          ...document.querySelectorAll<HTMLButtonElement>('#root button:enabled'),
        ].filter((button) => button.checkVisibility() && button.closest('[inert]') === null)
        for (const button of buttons) button.click()
        return buttons.length
      })
      await page.clock.runFor(LONG_MS)
      expect([await page.locator('[data-waiting]').count(), await isInteractive(page)]).toEqual([
        pressed,
        false,
      ])
      await page.context().close()
    })
  })

  test('a link works', async () => {
    const { page } = await openEarly('/', ada)
    await page.getByRole('link', { name: 'History' }).click()
    await page.waitForURL('**/history')
    await page.getByText('Card deposit').waitFor()
    expect(await isInteractive(page)).toBe(false)
    await page.context().close()
  })

  test('money that moves before the app receives events is shown once it does', async () => {
    const user = await product.world.user()
    const { page, letScriptsCome } = await openEarly('/', user)
    await page
      .getByRole('region', { name: 'Total Balance' })
      .getByText('$0.00', { exact: true })
      .first()
      .waitFor()
    await user.deposit('50')
    letScriptsCome()
    await page.getByRole('region', { name: 'Total Balance' }).getByText('$50.00').first().waitFor()
    await page.context().close()
  })
})

test('a page opened in the background becomes interactive without ever being visible', async () => {
  const page = await product.open('about:blank', ada, { isEarly: true })
  await page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.addEventListener('interactive', () => Object.assign(window, { isInteractive: true }))
  })
  await page.goto(product.url)
  await waitUntilInteractive(page)
  await page.context().close()
})

test('a page without scripts recovers with the network, and reports the lost press', async () => {
  const page = await product.open('about:blank', ada, { isEarly: true })
  await page.addInitScript(() =>
    document.addEventListener('interactive', () => Object.assign(window, { isInteractive: true })),
  )
  const lost = page.waitForEvent('requestfailed')
  await page.route('**/assets/*.js', (route) => route.abort('internetdisconnected'))
  await page.goto(product.url)
  await lost
  await page.unroute('**/assets/*.js')
  await page.getByText('Welcome back, Ada').waitFor()
  await page.waitForFunction(() => [...document.scripts].some(({ type }) => type === 'module'))
  await page.getByRole('button', { name: 'Balance breakdown' }).click()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await waitUntilInteractive(page)
  await page.getByText('Please press again').waitFor()
  await page.context().close()
})

test('a link pressed while the screen still loads is followed', async () => {
  let dropScreen = (): void => undefined
  const dropped = new Promise<void>((resolve) => (dropScreen = resolve))
  const page = await product.open('about:blank', undefined, { isEarly: true })
  await page.route('**/assets/login-screen-*.js', (route) =>
    dropped.then(() => route.abort('aborted')),
  )
  await page.route('**/signup', async (route) => {
    dropScreen()
    // Long enough for the page to notice the loss and to act.
    await page.waitForRequest('**/index.html', { timeout: 800 }).catch(() => undefined)
    await delay(500)
    await route.continue().catch(() => undefined)
  })
  const loading = page.waitForRequest('**/assets/login-screen-*.js')
  await page.goto(new URL('/login', product.url).href)
  await loading
  await page.getByRole('link', { name: 'Create one' }).click({ noWaitAfter: true })
  await page.waitForURL('**/signup')
  expect(await page.evaluate(() => sessionStorage.length), 'the page did not reload itself').toBe(0)
  await page.context().close()
})

test('a checkbox pressed after React is ready, but before the app is, changes once', async () => {
  const hold = (page: Page) =>
    page.addInitScript(() => {
      const stop = (event: Event) => event.stopImmediatePropagation()
      document.addEventListener('interactive', stop, { capture: true })
      Object.assign(window, {
        letGo: () => document.removeEventListener('interactive', stop, { capture: true }),
      })
    })
  const page = await product.open('/bot-config/new', ada, { before: hold, isEarly: true })
  await page.getByText('Choose', { exact: true }).click()
  const box = page.getByRole('checkbox', { name: 'ETH/USDT' })
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('[type=checkbox]') ?? {}).some((name) =>
      name.startsWith('__reactProps'),
    ),
  )
  await box.uncheck({ force: true })
  await page.evaluate(() => {
    ;(window as unknown as { letGo: () => void }).letGo()
    document.dispatchEvent(new Event('interactive'))
  })
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  )
  expect(await box.isChecked()).toBe(false)
  await page.context().close()
})
