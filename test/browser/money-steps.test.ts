import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { caughtUp, listen, requestsOf } from '../spec/requests.ts'
import type { TestUser } from '../world/world.ts'
import { confirmPerson, CONFIRMATION } from './confirm-person.ts'
import { expectFocus } from './expect-focus.ts'
import { createInvestor } from './investor.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const receipt = (page: Page) => page.getByRole('dialog', { name: /Card deposit|Withdrawal to/ })
const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search)
const isFocused = (page: Page, text: string) =>
  page.waitForFunction((words) => document.activeElement?.textContent === words, text)
const cashOf = async (user: TestUser) => (await user.call('getUser')).availableBalance

async function open(path: string, user?: TestUser): Promise<Page> {
  const page = await product.open(path, user)
  return page
}

async function toCard(page: Page): Promise<void> {
  await page.getByLabel('Custom amount').fill('250')
  await button(page, 'Continue').click()
  await heading(page, 'Complete Payment').waitFor()
}

async function payBy(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('1234')
  await page.getByLabel('CVC').fill('123')
  await button(page, 'Deposit $250.00').click()
}

async function toReview(page: Page): Promise<void> {
  await page.getByLabel('Amount', { exact: true }).fill('25')
  await button(page, 'Request Withdrawal').click()
  await heading(page, 'You withdraw').waitFor()
}

/** Home, then a screen opened from it, as people come. */
async function fromHome(link: string, user: TestUser): Promise<Page> {
  const page = await open('/', user)
  await page.getByRole('link', { name: link, exact: true }).click()
  await heading(page, `${link} Funds`).waitFor()
  return page
}

describe('the steps of a deposit', () => {
  test('steps are entries of the history: Back and Forward keep what was typed', async () => {
    const page = await fromHome('Deposit', await product.world.user())
    await toCard(page)
    await isFocused(page, 'Complete Payment')
    await page.goBack()
    await isFocused(page, 'Choose Amount')
    expect(await page.getByLabel('Custom amount').inputValue()).toBe('250')
    await page.goForward()
    await button(page, 'Deposit $250.00').waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await isFocused(page, 'Choose Amount')
    await page.goForward()
    await button(page, 'Change amount').click()
    await isFocused(page, 'Choose Amount')
    await page.goBack()
    await heading(page, 'Total Balance').waitFor()
    await page.context().close()
  })

  test("parse and show amounts in the reader's notation", async () => {
    const page = await open('/deposit', await product.world.user())
    await page.context().addCookies([{ name: 'language', value: 'de', url: page.url() }])
    await page.reload()
    const amount = page.getByLabel('Eigener Betrag')
    expect(await amount.getAttribute('placeholder')).toBe('0,00')
    await amount.fill('1.234,50')
    await button(page, 'Weiter').click()
    await button(page, '1.234,50 $ einzahlen').waitFor()
    await page.context().close()
  })

  test('survive a reload, without card data', async () => {
    const page = await open('/deposit', await product.world.user())
    await toCard(page)
    await page.getByLabel('Card number').fill('4242424242424242')
    await page.reload()
    await button(page, 'Deposit $250.00').waitFor()
    expect(await page.getByLabel('Card number').inputValue()).toBe('')
    expect(
      await page.evaluate(
        () =>
          JSON.stringify({ ...sessionStorage, ...localStorage }) + JSON.stringify(history.state),
      ),
    ).not.toMatch(/4242|secret/)
    await page.getByRole('link', { name: 'Back' }).click()
    await heading(page, 'Choose Amount').waitFor()
    expect(await page.getByLabel('Custom amount').inputValue()).toBe('250')
    await page.context().close()
  })

  test('end at home with the receipt; Back closes it, and Back never pays again', async () => {
    const user = await product.world.user()
    const page = await fromHome('Deposit', user)
    await toCard(page)
    await payBy(page, '4242424242424242')
    await page.getByText('Payment Successful').first().waitFor()
    await receipt(page).getByText('+$250.00').first().waitFor()
    expect(await addressOf(page)).toMatch(/^\/\?receipt=[0-9a-f-]{36}$/)
    const heard = listen(page)
    await page.goBack()
    await expect.poll(() => receipt(page).count()).toBe(0)
    expect(await addressOf(page)).toBe('/')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await page.goBack()
    await heading(page, 'Choose Amount').waitFor()
    expect(await page.getByLabel('Custom amount').inputValue()).toBe('')
    await page.goForward()
    await page.goForward()
    await receipt(page).waitFor()
    await page.reload()
    await receipt(page).waitFor()
    await caughtUp(page)
    expect(heard.filter((call) => call.startsWith('POST'))).toEqual([])
    expect(await page.getByText('Payment Successful').count(), 'a reload repeats no toast').toBe(0)
    expect(await cashOf(user)).toBe('250.00')
    await page.context().close()
  })

  test.each([390, 1280])('move nothing when the receipt arrives, at %i px', async (width) => {
    const page = await fromHome('Deposit', await product.world.user())
    await page.setViewportSize({ width, height: 844 })
    await toCard(page)
    await button(page, 'Deposit $250.00').waitFor()
    await page.evaluate(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      // Shifts just after the press count too.
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if ('value' in entry) shifts.push(Number(entry.value))
      }).observe({ type: 'layout-shift' })
    })
    await payBy(page, '4242424242424242')
    await receipt(page).getByText('Put it to work').waitFor()
    await receipt(page).getByText('Payment Successful').waitFor()
    await page.getByText('Three steps to your first trade').waitFor()
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThanOrEqual(0.01)
    await page.context().close()
  })

  test('a payment sent before a reload is looked up, not sent again', async () => {
    const user = await product.world.user()
    const page = await open('/deposit', user)
    await toCard(page)
    await page.route('**/api/confirm-deposit', (route) => route.abort(), { times: 1 })
    await payBy(page, '4242424242424242')
    await page.getByText("Your card was charged, but it isn't in your balance yet.").waitFor()
    await page.reload()
    await page.getByText('Payment Successful').first().waitFor()
    await receipt(page).waitFor()
    expect(await cashOf(user)).toBe('250.00')
    await page.context().close()
  })

  test('a card declined before a reload is reported, and another card pays once', async () => {
    const user = await product.world.user()
    const page = await open('/deposit', user)
    await toCard(page)
    await page.route('**/api/sandbox/card-payments', (route) => route.abort(), { times: 1 })
    await payBy(page, '4000000000000002')
    await page
      .getByText("We couldn't reach the server. You won't be charged twice. Please try again.")
      .waitFor()
    await page.reload()
    await page.getByText("This payment didn't go through. You were not charged.").first().waitFor()
    await payBy(page, '4242424242424242')
    await receipt(page).waitFor()
    expect(await cashOf(user)).toBe('250.00')
    await page.context().close()
  })

  test('a payment still arrives if the user leaves its step meanwhile', async () => {
    const user = await product.world.user()
    const page = await open('/deposit', user)
    await toCard(page)
    let letGo = (): void => undefined
    const over = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/api/sandbox/card-payments', async (route) => {
      await over
      await route.continue()
    })
    await payBy(page, '4242424242424242')
    await button(page, 'Processing…').waitFor()
    await page.goBack()
    await heading(page, 'Choose Amount').waitFor()
    letGo()
    await receipt(page).waitFor()
    expect(await cashOf(user)).toBe('250.00')
    await page.context().close()
  })
})

describe('the steps of a withdrawal', () => {
  test('steps are entries of the history, survive a reload, and take the focus', async () => {
    const page = await fromHome('Withdraw', await createInvestor(product.world, 'steps'))
    await toReview(page)
    await isFocused(page, 'You withdraw')
    await page.goBack()
    await isFocused(page, 'Available for withdrawal')
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('25')
    await page.goForward()
    await heading(page, 'You withdraw').waitFor()
    await page.reload()
    await heading(page, 'You withdraw').waitFor()
    await page.getByText(/^[A-Z][a-z]{2} \d+, \d{4} to [A-Z][a-z]{2} \d+, \d{4}$/).waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await heading(page, 'Available for withdrawal').waitFor()
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('25')
    await page.context().close()
  })

  test('a receipt follows the withdrawal: pending with Cancel, completed without', async () => {
    const user = await createInvestor(product.world, 'watcher')
    const page = await open('/withdraw', user)
    await toReview(page)
    await button(page, 'Confirm withdrawal').click()
    await confirmPerson(page)
    await page.getByText('Withdrawal Requested').first().waitFor()
    await receipt(page).getByText('pending', { exact: true }).waitFor()
    await button(page, 'Cancel withdrawal').waitFor()
    await product.world.payOut()
    await product.world.payOut()
    await receipt(page).getByText('completed', { exact: true }).waitFor()
    await expect.poll(() => button(page, 'Cancel withdrawal').count()).toBe(0)
    await page.context().close()
  })

  test('a withdrawal is canceled from its receipt', async () => {
    const user = await createInvestor(product.world, 'changer')
    const page = await open('/withdraw', user)
    await toReview(page)
    await button(page, 'Confirm withdrawal').click()
    await confirmPerson(page)
    await button(page, 'Cancel withdrawal').click()
    await button(page, 'Cancel it').click()
    await page.getByText('Withdrawal canceled').first().waitFor()
    await receipt(page).getByText('failed', { exact: true }).waitFor()
    await expect.poll(() => button(page, 'Cancel withdrawal').count()).toBe(0)
    await expectFocus(page)
    expect(await cashOf(user)).toBe('900.00')
    await page.context().close()
  })

  test('after a lost answer, reviewing the same amount again withdraws nothing twice', async () => {
    const user = await createInvestor(product.world, 'doubter')
    const page = await open('/withdraw', user)
    await toReview(page)
    let isLost = false
    await page.route('**/api/withdrawal-requests', async (route) => {
      if (isLost || route.request().headers()['proof'] === undefined) return route.continue()
      isLost = true
      await route.fetch()
      return route.abort()
    })
    await button(page, 'Confirm withdrawal').click()
    await confirmPerson(page)
    await page
      .getByText(
        "We couldn't reach the server. Please try again. Your money is never withdrawn twice.",
      )
      .waitFor()
    await page.reload()
    await heading(page, 'You withdraw').waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await button(page, 'Request Withdrawal').click()
    await button(page, 'Confirm withdrawal').click()
    await receipt(page).waitFor()
    expect(await cashOf(user)).toBe('875.00')
    await page.context().close()
  })
})

describe('the amount of a withdrawal', () => {
  test.each(['10.001', 'abc', '1e3', '12..5'])(
    '%s can be submitted, by the button and by Enter, and is refused at its field',
    async (typed) => {
      const page = await open(
        '/withdraw',
        await createInvestor(product.world, `typist${typed.length}${typed.charCodeAt(1)}`),
      )
      const field = page.getByLabel('Amount', { exact: true })
      for (const submit of [
        () => button(page, 'Request Withdrawal').click(),
        () => field.press('Enter'),
      ]) {
        await field.fill('')
        await field.fill(typed)
        await submit()
        await page.getByText('Invalid Amount').first().waitFor()
        expect(await field.getAttribute('aria-invalid')).toBe('true')
        expect(
          await page
            .getByRole('main')
            .getByRole('alert')
            .getByText('Please enter a valid withdrawal amount')
            .count(),
        ).toBe(1)
      }
      await page.context().close()
    },
  )

  test.each(['', ' ', '0', '0.00', '$0', '-5'])('the button is disabled for %j', async (typed) => {
    const page = await open('/withdraw', await product.world.user())
    await page.getByLabel('Amount', { exact: true }).fill('1')
    await expect.poll(() => button(page, 'Request Withdrawal').isDisabled()).toBe(false)
    await page.getByLabel('Amount', { exact: true }).fill(typed)
    await expect.poll(() => button(page, 'Request Withdrawal').isDisabled()).toBe(true)
    await page.context().close()
  })
})

describe('the button that requests a withdrawal', () => {
  test('says why it is disabled, and afterwards what is still open', async () => {
    const user = await product.world.user()
    await user.deposit('100')
    const page = await open('/withdraw', user)
    const request = button(page, 'Request Withdrawal')
    const reason = () =>
      request.evaluate((pressed) => {
        const [id = ''] = (pressed.getAttribute('aria-describedby') ?? '').split(' ')
        return document.getElementById(id)?.textContent
      })
    expect([await request.isDisabled(), await reason()]).toEqual([
      true,
      'Enter an amount of at least $10.',
    ])
    await page.getByLabel('Amount', { exact: true }).fill('25')
    expect([await request.isDisabled(), await reason()]).toEqual([
      false,
      'You can cancel until it is sent.',
    ])
    await page.context().close()
  })

  test('says that more is in bots, with the way to it', async () => {
    const user = await createInvestor(product.world, 'withdrawer')
    const page = await open('/withdraw', user)
    await page.getByText('You have more in bots.').waitFor()
    await page.getByRole('link', { name: 'Take money out' }).click()
    await page.waitForURL((url) => url.pathname === '/bot-config')
    await page.context().close()
  })
})

describe('if nothing can be withdrawn, the screen says why and links to the next step', () => {
  test('the screen links to a deposit if there is no money', async () => {
    const page = await open('/withdraw', await product.world.user())
    await page.getByText('You have no money to withdraw yet.').waitFor()
    await page.getByRole('link', { name: 'Deposit' }).click()
    await heading(page, 'Deposit Funds').waitFor()
    await page.context().close()
  })

  test('the screen links to the bots if they have all the money', async () => {
    const user = await product.world.user()
    await user.deposit('900')
    await user.call('createBot', {
      body: {
        name: 'All',
        riskLevel: 'moderate',
        tradingPairs: ['BTC/USDT'],
        investmentAmount: '900',
      },
    })
    const page = await open('/withdraw', user)
    await page.getByText('$900.00 is in bots. Take money out of a bot first.').waitFor()
    await page.getByRole('link', { name: 'Your bots' }).click()
    await page.waitForURL((url) => url.pathname === '/bot-config')
    await page.context().close()
  })
})

/** Two presses before anything can be rendered, as a busy device delivers them. */
const pressTwice = (page: Page, name: string) =>
  button(page, name)
    .last()
    .evaluate((pressed: HTMLElement) => {
      pressed.click()
      pressed.click()
    })

const fillAll = async (page: Page, typed: Record<string, string>) => {
  for (const [label, text] of Object.entries(typed))
    await page.getByLabel(label, { exact: true }).fill(text)
}

type Pressed = {
  path: string
  prepare: (page: Page) => Promise<unknown>
  name: string
  call: string
  answer: string
}

/**
 * One button for each way in which the app sends: a form, a review, a dialog, with a key of the
 * attempt and without.
 */
const PRESSED: Record<string, Pressed> = {
  'Sign In': {
    path: '/login',
    prepare: (page) => fillAll(page, { Username: 'pressing', Password: 'correct horse battery' }),
    name: 'Sign In',
    call: 'POST /api/auth/login',
    answer: 'Welcome back',
  },
  'Create Account': {
    path: '/signup',
    prepare: (page) =>
      fillAll(page, {
        Username: 'pressed',
        Password: 'correct horse battery',
        'First name': 'Ada',
        'Last name': 'King',
      }),
    name: 'Create Account',
    call: 'POST /api/auth/signup',
    answer: 'Welcome back',
  },
  'Send the link': {
    path: '/forgot-password',
    prepare: (page) => fillAll(page, { 'Username or email': 'pressing' }),
    name: 'Send the link',
    call: 'POST /api/auth/password/request-reset',
    answer: 'Check your email',
  },
  'a card payment': {
    path: '/deposit',
    prepare: async (page) => (
      await toCard(page),
      await fillAll(page, { 'Card number': '4242424242424242', Expiry: '1234', CVC: '123' })
    ),
    name: 'Deposit $250.00',
    call: 'POST /api/sandbox/card-payments',
    answer: 'Payment Successful',
  },
  'a withdrawal': {
    path: '/withdraw',
    prepare: toReview,
    name: 'Confirm withdrawal',
    call: 'POST /api/withdrawal-requests',
    answer: CONFIRMATION,
  },
  'a new bot': {
    path: '/bot-config/new',
    prepare: (page) => fillAll(page, { 'Bot name': 'Once', 'Investment amount': '50' }),
    name: 'Create Trading Bot',
    call: 'POST /api/trading-bots',
    answer: 'Bot Created',
  },
  'a new name': {
    path: '/profile',
    prepare: async (page) => (
      await button(page, 'Edit name').click(),
      await fillAll(page, { 'First name': 'Augusta' })
    ),
    name: 'Save',
    call: 'PATCH /api/auth/user',
    answer: 'Augusta',
  },
}

const PRESSING = Object.keys(PRESSED)

test.each(PRESSING)('%s, pressed twice in one moment, is sent once', async (what) => {
  const { path, prepare, name, call, answer } = PRESSED[what] ?? expect.fail()
  const isOpen = /^.(login|signup|forgot)/.test(path)
  const user = isOpen
    ? undefined
    : await createInvestor(product.world, `twice-${PRESSING.indexOf(what)}`)
  if (what === 'Sign In') await product.world.user('pressing')
  const page = await open(path, user)
  await prepare(page)
  const sent = await requestsOf(page, async () => {
    await pressTwice(page, name)
    await page.getByText(answer).first().waitFor()
  })
  expect(sent.filter((each) => each === call)).toEqual([call])
  await page.context().close()
})
