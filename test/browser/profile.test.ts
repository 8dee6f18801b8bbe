import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locator, Page, Route } from 'playwright-core'
import { routes } from '#contract/routes.ts'
import { openProduct, waitUntilInteractive, type Product } from '../spec/product.ts'
import { caughtUp } from '../spec/requests.ts'
import { createWorld, type TestUser } from '../world/world.ts'

const EMAIL = 'help@bots.example'
const PHONE_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
  'Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

let product: Product
beforeAll(async () => {
  product = await openProduct(createWorld({ config: { SUPPORT: EMAIL } }))
})
afterAll(() => product.close())

/** Signs the user in on another device. */
async function signInElsewhere(
  { username }: TestUser,
  headers: Record<string, string>,
): Promise<void> {
  const payload = { username, password: 'correct horse battery' }
  const answer = await product.world.app.inject({
    method: 'POST',
    url: routes.login.path,
    payload,
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  })
  expect(answer.statusCode).toBe(200)
}

async function openProfile(user: TestUser): Promise<Page> {
  const page = await product.open('/profile', user)
  return page
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

test('a session ends only after a confirmation, and the focus stays on the list', async () => {
  const user = await product.world.user()
  await signInElsewhere(user, { 'user-agent': PHONE_AGENT })
  const page = await openProfile(user)
  const end = page.getByRole('button', { name: 'End Safari on iPhone' })
  await end.click()
  await page
    .getByRole('alertdialog', { name: 'Sign out Safari on iPhone?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await expect.poll(() => end.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await user.call('listSessions')).toHaveLength(2)
  await end.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await end.waitFor({ state: 'detached' })
  expect(await user.call('listSessions')).toHaveLength(1)
  await expect.poll(() => focused(page)).toBe('UL')
  await page.context().close()
})

test('devices are named after any hint that their browsers send', async () => {
  const user = await product.world.user()
  await signInElsewhere(user, {
    'user-agent': 'X',
    'sec-ch-ua': '"Chromium";v="141", "Brave";v="141"',
    'sec-ch-ua-platform': '"Android"',
  })
  await signInElsewhere(user, { 'user-agent': '' })
  const page = await openProfile(user)
  await page.getByText('Brave on Android').waitFor()
  const rows = await page
    .getByRole('list', { name: 'Devices' })
    .getByRole('listitem')
    .allTextContents()
  expect(
    rows.filter((row) => row.startsWith('Unknown device')),
    'the one that said nothing',
  ).toHaveLength(1)
  expect(rows[0]).toMatch(/^Chrome on (Linux|Android|Mac).*This device$/)
  await page.context().close()
})

test('signing out opens the landing page, even if a later call is refused', async () => {
  const user = await product.world.user()
  let refuse = (): void => undefined
  const signedOut = new Promise<void>((resolve) => (refuse = resolve))
  const before = async (page: Page) => {
    await page.route('**/api/auth/sessions', async (route) => {
      await signedOut
      await route.continue()
    })
    await page.route(/\/assets\/(home|landing)-screen-/, async (route) => {
      await delay(1_500)
      await route.continue()
    })
  }
  const page = await product.open('/profile', user, { before })
  await waitUntilInteractive(page)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByText('Logged out successfully').first().waitFor()
  refuse()
  await page.getByText('Start Trading Now').waitFor()
  await caughtUp(page)
  expect(await page.getByText('Unauthorized').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/')
  await page.goBack()
  expect(page.url(), 'Back does not return to the profile').toBe('about:blank')
  await page.context().close()
})

test('the name can be edited and is shown at once, also on Home', async () => {
  const user = await product.world.user()
  const page = await openProfile(user)
  await page.getByRole('button', { name: 'Edit name' }).click()
  const sheet = page.getByRole('dialog')
  const first = sheet.getByLabel('First name')
  await first.fill('Ada\u200b')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.getByText('Please use visible characters on one line.').waitFor()
  await expect.poll(() => first.evaluate((input) => input === document.activeElement)).toBe(true)
  await first.fill('Augusta Ada')
  await sheet.getByLabel('Last name').fill('King')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Augusta Ada King' }).waitFor()
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('BUTTON')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('Augusta Ada').first().waitFor()
  expect(await user.call('getUser')).toMatchObject({ firstName: 'Augusta Ada', lastName: 'King' })
  await page.context().close()
})

/** Longer than a redirect to the login waits. */
const REDIRECT_MS = 1_000

/** Notes the title of every toast. */
async function noteToasts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const titles: string[] = []
    Object.assign(window, { titles })
    const note = () => {
      const title = document.querySelector('section[aria-label^=Notifications] li p')?.textContent
      if (title && titles.at(-1) !== title) titles.push(title)
    }
    new MutationObserver(note).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    })
  })
  return () => page.evaluate(() => (window as unknown as { titles: string[] }).titles)
}

async function signsOutOnce(page: Page, toasts: () => Promise<string[]>): Promise<void> {
  await page.getByText('Start Trading Now').waitFor()
  await page.waitForTimeout(REDIRECT_MS)
  expect([new URL(page.url()).pathname, await toasts()]).toEqual(['/', ['Logged out successfully']])
}

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign Out' }).click()

test('signing out opens the landing page and says so once', async () => {
  const page = await openProfile(await product.world.user())
  const toasts = await noteToasts(page)
  await signOut(page)
  await signsOutOnce(page, toasts)
  await page.context().close()
})

test('a call that is refused after the sign-out ends no later session', async () => {
  const page = await openProfile(await product.world.user())
  const toasts = await noteToasts(page)
  const answers: (() => Promise<void>)[] = []
  await page.route(`**${routes.updateUser.path}`, async (route) => {
    if (route.request().method() !== routes.updateUser.method) return route.fallback()
    answers.push(() =>
      route.fulfill({
        status: 401,
        json: { code: 'not-signed-in', message: 'You are logged out. Logging in again...' },
      }),
    )
  })
  await page.route(`**${routes.logout.path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Edit name' }).click()
  await page.getByLabel('First name').fill('Grace')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => answers.length).toBe(1)
  await page
    .getByRole('button', { name: 'Sign Out', includeHidden: true })
    .evaluate((button: HTMLElement) => button.click())
  await page.getByText('Start Trading Now').waitFor()
  for (const answer of answers) await answer()
  await signsOutOnce(page, toasts)
  await page.context().close()
})

test('after a failed sign-out, calls are repeated, and an ended session is shown', async () => {
  const user = await product.world.user()
  await signInElsewhere(user, { 'user-agent': PHONE_AGENT })
  // The stream is blocked, so that no event makes the page load the sessions again.
  const page = await product.open('/profile', user, {
    before: (page) => page.route('**/api/events*', (route) => route.abort()),
  })
  await waitUntilInteractive(page)
  const held: Route[] = []
  await page.route(`**${routes.listSessions.path}`, (route) => void held.push(route), { times: 1 })
  await page.route(`**${routes.logout.path}`, (route) => route.abort('connectionreset'))
  const end = page.getByRole('button', { name: 'End Safari on iPhone' })
  await end.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(() => held.length).toBe(1)
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await signOut(page)
  await page.getByText('Logout failed').waitFor()
  await end.waitFor({ state: 'detached' })
  await user.call('logout')
  await page.getByRole('button', { name: 'Edit name' }).click()
  await page.getByLabel('First name').fill('Ada')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/login*')
  await page.context().close()
})

test('the wallets are listed after the account, and their button is not prominent', async () => {
  const page = await openProfile(await product.world.user())
  expect((await page.getByRole('heading', { level: 2 }).allTextContents()).slice(1)).toEqual([
    'Balance',
    'Appearance',
    'Active sessions',
    'Crypto Wallets',
  ])
  const background = await page
    .getByRole('button', { name: 'Connect MetaMask' })
    .evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(background).toBe('rgba(0, 0, 0, 0)')
  await page.context().close()
})

test('the settings are a list, and the button that signs out is below it', async () => {
  const page = await openProfile(await product.world.user())
  const list = page.getByRole('list').filter({ hasText: 'Your data' })
  expect(await list.getByRole('listitem').allTextContents()).toEqual([
    'Sign-in and security',
    'Choose your notifications',
    'Change password',
    'Your data',
  ])
  const box = (found: Locator) => found.boundingBox()
  const [settings, leave] = [
    await box(list),
    await box(page.getByRole('button', { name: 'Sign Out' })),
  ]
  expect(leave?.y).toBeGreaterThanOrEqual((settings?.y ?? 0) + (settings?.height ?? 0))
  await page.context().close()
})

test.each(['/profile', '/help'])('%s links to support', async (path) => {
  const page = await product.open(path, await product.world.user())
  expect(await page.getByRole('link', { name: 'Contact support' }).getAttribute('href')).toBe(
    `mailto:${EMAIL}`,
  )
  await page.context().close()
})

test('an answer that contains the address of support links to it', async () => {
  const page = await product.open('/help')
  await page.getByRole('textbox', { name: 'Your question' }).fill('How do I contact support?')
  await page.keyboard.press('Enter')
  const link = page.getByRole('log').getByRole('link', { name: EMAIL })
  await link.waitFor()
  expect(await link.getAttribute('href')).toBe(`mailto:${EMAIL}`)
  await page.context().close()
})
