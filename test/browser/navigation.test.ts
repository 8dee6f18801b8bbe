import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openProduct,
  waitUntilInteractive,
  type OpenOptions,
  type Product,
} from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
})
afterAll(() => product.close())

/** Records every placeholder that is ever on the page, also for a moment. */
async function openRecorded(path: string, options: OpenOptions = {}): Promise<Page> {
  const page = await product.open(path, ada, {
    ...options,
    before: (opened) => opened.addInitScript(recordPlaceholders),
  })
  await waitUntilInteractive(page)
  return page
}

/** Runs in the page. */
function recordPlaceholders(): void {
  const seen: string[] = []
  Object.assign(window, { seen })
  new MutationObserver(() => {
    if (document.querySelector('main')?.textContent === '') seen.push('nothing')
    if (document.body?.textContent.includes('Loading…')) seen.push('Loading…')
    if (document.querySelector('main > [aria-busy=true]')) seen.push('outline')
  }).observe(document, { childList: true, subtree: true })
}

const seen = (page: Page) =>
  page.evaluate(() => [...new Set((window as unknown as { seen: string[] }).seen)])
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const isLeaving = (page: Page) =>
  page.evaluate(() => document.documentElement.hasAttribute('data-leaving'))

describe('a change of screens', () => {
  test('the navigation stays, and the old screen is kept until the next has arrived', async () => {
    const page = await openRecorded('/')
    await page.locator('#main-nav').evaluate((nav) => nav.setAttribute('data-first', ''))
    const release = await holdScripts(page)
    await page.getByRole('link', { name: 'History' }).click()
    await expect.poll(() => isLeaving(page)).toBe(true)
    await page.getByText('Welcome back, Ada').waitFor()
    release()
    await heading(page, 'Transaction History').waitFor()
    expect([await seen(page), await isLeaving(page), new URL(page.url()).pathname]).toEqual([
      [],
      false,
      '/history',
    ])
    for (const [tab, title] of [
      ['Bots', 'Bot Configuration'],
      ['Help', 'AI Help Chat'],
      ['Profile', 'Profile'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await heading(page, title).waitFor()
    }
    expect(await seen(page)).toEqual([])
    expect(await page.locator('#main-nav[data-first]').count()).toBe(1)
    await page.context().close()
  })

  test('shows the outline of a screen that takes longer than a second', async () => {
    const page = await openRecorded('/')
    const release = await holdScripts(page)
    await page.getByRole('link', { name: 'History' }).click()
    await page
      .locator('main > [aria-busy=true]')
      .getByRole('heading', { name: 'Transaction History' })
      .waitFor()
    release()
    await page.getByRole('tab', { name: 'All' }).waitFor()
    expect(await seen(page)).toEqual(['outline'])
    await page.context().close()
  })

  test('a later change cancels one that is still waiting', async () => {
    const page = await openRecorded('/')
    const release = await holdScripts(page)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: 'Profile' }).click()
    release()
    await heading(page, 'Profile').waitFor()
    await page.goBack()
    await page.getByText('Welcome back, Ada').waitFor()
    await page.context().close()
  })

  test('needs no request once the page has been used and was idle', async () => {
    const page = await openRecorded('/')
    const fetched: Promise<string>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script')
        fetched.push(request.response().then((response) => response?.text() ?? ''))
    })
    await page.mouse.move(100, 100)
    await page.mouse.move(120, 120)
    // Names of files say nothing: each screen is known by words that only its own code holds.
    for (const words of [
      'Your Trading Bots',
      'No transactions yet',
      'Suggested questions',
      'Appearance',
    ]) {
      await expect
        .poll(
          async () => (await Promise.all(fetched)).filter((code) => code.includes(words)).length,
          { message: words },
        )
        .toBe(1)
    }
    // A script that is still being read when its page closes would fail.
    page.removeAllListeners('requestfinished')
    await Promise.all(fetched)
    await page.context().close()
  })
})

describe('the back arrow of a screen', () => {
  test('goes back to the previous screen without a new entry', async () => {
    const page = await openRecorded('/history')
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'Deposit' }).click()
    await heading(page, 'Deposit Funds').waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByText('Welcome back, Ada').waitFor()
    await page.goBack()
    await heading(page, 'Transaction History').waitFor()
    await page.context().close()
  })

  test('leads to the parent screen if the app was opened there', async () => {
    const page = await openRecorded('/deposit')
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByText('Welcome back, Ada').waitFor()
    await page.context().close()
  })
})

test.each(['Edit name', 'Change password', 'Sign-in history'])(
  'a sheet whose file cannot be loaded leaves the navigation and a way on: %s',
  async (name) => {
    const page = await product.open('/profile', ada)
    await waitUntilInteractive(page)
    await page.route(/\/assets\/.*\.js|\/index\.html/, (route) => route.abort())
    await page.getByRole('button', { name }).click()
    await heading(page, 'This screen could not be loaded').waitFor()
    expect(await page.locator('#main-nav').isVisible()).toBe(true)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading(page, 'Profile').waitFor()
    await page.context().close()
  },
)

test('a screen that cannot be loaded shows its outline until the server was tried', async () => {
  const page = await product.open('/profile', ada)
  await waitUntilInteractive(page)
  await page.route(/\/assets\/.*\.js/, (route) => route.abort())
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/index.html', (route) => answered.then(() => route.abort()))
  const asked = page.waitForRequest('**/index.html')
  await page.evaluate(() => history.pushState(null, '', '/nowhere'))
  await asked
  await page
    .locator('main > [aria-busy=true]')
    .getByRole('heading', { name: '404 Page Not Found' })
    .waitFor()
  answer()
  await heading(page, 'This screen could not be loaded').waitFor()
  await page.context().close()
})

test('an unknown address whose screen cannot be loaded leaves the navigation', async () => {
  const page = await product.open('/profile', ada)
  await waitUntilInteractive(page)
  await page.route(/\/assets\/.*\.js|\/index\.html/, (route) => route.abort())
  await page.evaluate(() => history.pushState(null, '', '/nowhere'))
  await heading(page, 'This screen could not be loaded').waitFor()
  expect(await page.locator('#main-nav').isVisible()).toBe(true)
  await page.context().close()
})

/** Holds back all scripts that are requested from now on. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return () => release()
}
