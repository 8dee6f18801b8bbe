import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstQueries } from '#contract/first-queries.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { allScreens } from '#contract/screens.ts'
import { stopClock } from '../spec/clock.ts'
import { changeFirstData, withoutFirstData } from '../spec/first-data.ts'
import { openProduct, waitUntilInteractive, type Product } from '../spec/product.ts'
import { caughtUp, listen } from '../spec/requests.ts'
import type { TestUser } from '../world/world.ts'
import { createInvestor } from './investor.ts'

const USERS = allScreens.filter(({ access, path }) => access === 'user' && !path.includes(':'))
const PROTECTED = USERS.map(({ path }) => path).filter((path) => path !== '/')
const UNAUTHORIZED = 'You are logged out. Logging in again...'
/**
 * Half of Google's limit for a good layout shift, 0.1; not 0, because the length of a list is not
 * known in advance. Source: web.dev/cls.
 */
const MOST_SHIFT = 0.05

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await createInvestor(product.world, 'ada')
})
afterAll(() => product.close())

const pathOf = (page: Page): string => new URL(page.url()).pathname
const toLogin = `GET ${plainRoutes.loginRedirect}`
const toast = (page: Page) =>
  page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

/**
 * Removes the user from the page's first data, and holds the request for the user until the
 * returned function is called.
 */
async function holdUser(page: Page): Promise<() => void> {
  let letGo = (): void => undefined
  const over = new Promise<void>((resolve) => (letGo = resolve))
  await withoutFirstData('getUser')(page)
  await page.route('**/api/auth/user', async (route) => {
    await over
    await route.continue()
  })
  return letGo
}

describe('while the user is being loaded', () => {
  test.each(['/', ...PROTECTED])(
    '%s shows the loading screen, then the screen, and never a 404',
    async (path) => {
      let letGo = (): void => undefined
      const page = await product.open('about:blank', ada, {
        before: async (opened) => (letGo = await holdUser(opened)),
      })
      await page.addInitScript(() => {
        const seen = new MutationObserver(() => {
          if (document.body?.textContent.includes('404 Page Not Found'))
            Object.assign(window, { flashed: true })
        })
        seen.observe(document, { childList: true, subtree: true })
      })
      await page.goto(path)
      await page.getByText('Loading…').waitFor()
      expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
      letGo()
      await page.getByText('Loading…').waitFor({ state: 'hidden' })
      expect([pathOf(page), await page.evaluate(() => 'flashed' in window)]).toEqual([path, false])
      expect(await page.getByText('404 Page Not Found').count()).toBe(0)
      await page.context().close()
    },
  )
})

describe('an unknown path', () => {
  test.each([
    ['signed-in users', true],
    ['visitors', false],
  ])('shows the 404 screen to %s', async (_who, isSignedIn) => {
    const page = await product.open('/no/such/screen', isSignedIn ? ada : undefined)
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await page.getByText('Did you forget to add the page to the router?').waitFor()
    expect(await toast(page).count()).toBe(0)
    await page.context().close()
  })
})

describe('signed-out visitors', () => {
  test.each(PROTECTED)(
    'visitors on %s get the toast, and after half a second the login by a full page load',
    async (path) => {
      const page = await product.open('/login')
      await page.getByRole('button', { name: 'Sign In' }).waitFor()
      const heard = listen(page)
      await stopClock(page)
      await page.evaluate((to) => history.pushState(null, '', to), path)
      await toast(page).getByText('Unauthorized', { exact: true }).waitFor()
      await toast(page).getByText(UNAUTHORIZED).waitFor()
      await page.clock.runFor(499)
      await caughtUp(page)
      expect([pathOf(page), heard.includes(toLogin)]).toEqual([path, false])
      await page.clock.runFor(1)
      await page.waitForURL('**/login')
      await caughtUp(page)
      expect(heard).toContain(toLogin)
      await page.context().close()
    },
  )

  test.each(PROTECTED)('visitors who open %s by URL are redirected to login', async (path) => {
    const page = await product.open(path, undefined, { before: stopClock })
    await toast(page).getByText(UNAUTHORIZED).waitFor()
    await page.clock.runFor(500)
    await page.waitForURL('**/login')
    await page.context().close()
  })

  test('visitors whose session ended get the toast once, and the login', async () => {
    const user = await product.world.user()
    const page = await product.open('/deposit', user)
    await page.getByRole('button', { name: '$100', exact: true }).click()
    await stopClock(page)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Continue' }).click()
    await toast(page).getByText(UNAUTHORIZED).waitFor()
    expect(await toast(page).count()).toBe(1)
    await page.clock.runFor(500)
    await page.waitForURL('**/login')
    await page.context().close()
  })

  test.each(allScreens.filter(({ access }) => access === 'both').map(({ path }) => path))(
    'may read %s',
    async (path) => {
      const page = await product.open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([pathOf(page), await toast(page).count()]).toEqual([path, 0])
      await page.context().close()
    },
  )
})

describe('a toast', () => {
  const FORM = '/bot-config/new'
  const fail = async (page: Page) => {
    await page.getByLabel('Bot name').fill('')
    await page.getByRole('button', { name: 'Create Trading Bot' }).click()
  }
  async function openWithToast(): Promise<Page> {
    const page = await product.open(FORM, ada)
    await fail(page)
    await toast(page).getByText('Invalid Name').waitFor()
    return page
  }

  test('replaces the previous one', async () => {
    const page = await openWithToast()
    await page.getByLabel('Bot name').fill('Named')
    await page.getByLabel('Investment amount').fill('')
    await page.getByRole('button', { name: 'Create Trading Bot' }).click()
    await toast(page).getByText('Invalid Amount').waitFor()
    expect(await toast(page).count()).toBe(1)
    await page.context().close()
  })

  test('closes after 5,000 ms, not before', async () => {
    const page = await product.open(FORM, ada)
    await page.getByRole('button', { name: 'Create Trading Bot' }).waitFor()
    await stopClock(page)
    await fail(page)
    await page.clock.runFor(100)
    await toast(page).getByText('Invalid Name').waitFor()
    await page.clock.runFor(4_800)
    expect(await toast(page).count()).toBe(1)
    await page.clock.runFor(200)
    await expect.poll(() => toast(page).count()).toBe(0)
    await page.context().close()
  })

  test.each(['phone', 'desktop'])(
    'a toast does not cover the bar at the lower edge on a %s',
    async (device) => {
      const page = await product.open(
        FORM,
        ada,
        device === 'phone' ? {} : { viewport: { width: 1_280, height: 800 }, isMobile: false },
      )
      await fail(page)
      const bar = page
        .locator('.sticky')
        .filter({ has: page.getByRole('button', { name: 'Create Trading Bot' }) })
      await toast(page).getByText('Invalid Name').waitFor()
      // The toast slides in.
      await expect
        .poll(async () => {
          const [place, shown] = await Promise.all([bar.boundingBox(), toast(page).boundingBox()])
          return (shown?.y ?? Infinity) + (shown?.height ?? 0) - (place?.y ?? 0)
        })
        .toBeLessThanOrEqual(0)
      await page.context().close()
    },
  )

  test('gets the focus with F8 and closes with Escape', async () => {
    const page = await openWithToast()
    await page.keyboard.press('F8')
    expect(
      await page
        .getByRole('region', { name: /^Notifications/ })
        .evaluate((region) => region.contains(document.activeElement)),
    ).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expect.poll(() => toast(page).count()).toBe(0)
    await page.context().close()
  })

  test.each([
    [40, 1],
    [60, 0],
  ])('swiped right by %i px leaves %i', async (distance, left) => {
    const page = await openWithToast()
    const box = await toast(page).boundingBox()
    const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 20]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + distance, y, { steps: 6 })
    await page.mouse.up()
    await expect.poll(() => toast(page).count()).toBe(left)
    await page.context().close()
  })

  test('a toast is at most 420 px wide on wider screens', async () => {
    const page = await product.open(FORM, ada, {
      viewport: { width: 900, height: 800 },
      isMobile: false,
    })
    await fail(page)
    await toast(page).getByText('Invalid Name').waitFor()
    expect(
      await page
        .getByRole('region', { name: /^Notifications/ })
        .locator('ol')
        .evaluate((list) => list.getBoundingClientRect().width),
    ).toBe(420)
    await page.context().close()
  })
})

test('a tooltip opens after 700 ms, and the next one within 300 ms at once', async () => {
  const page = await product.open('/bot-config', ada, { isMobile: false, hasTouch: false })
  const tip = page.getByRole('tooltip')
  await waitUntilInteractive(page)
  await page.getByRole('button', { name: 'Actions for Steady' }).waitFor()
  await stopClock(page)
  await page.getByRole('button', { name: 'Actions for Steady' }).hover()
  await page.clock.runFor(690)
  expect(await tip.count()).toBe(0)
  await page.clock.runFor(20)
  await expect.poll(() => tip.textContent()).toBe('Actions for Steady')
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'detached' })
  await page.context().close()
})

test('a tooltip opens at once for the keyboard, and closes when the focus leaves', async () => {
  const page = await product.open('/bot-config', ada, {
    viewport: { width: 1_280, height: 800 },
    isMobile: false,
    hasTouch: false,
  })
  const tip = page.getByRole('tooltip')
  const rightEdge = async (what: Locator) =>
    what.evaluate((element) => element.getBoundingClientRect().right)
  await page.getByRole('link', { name: /Steady/ }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => tip.textContent()).toBe('Actions for Steady')
  expect(await rightEdge(tip)).toBeCloseTo(
    await rightEdge(page.getByRole('button', { name: 'Actions for Steady' })),
    0,
  )
  await page.keyboard.press('Tab')
  await expect.poll(() => tip.allTextContents()).not.toContain('Actions for Steady')
  await page.context().close()
})

/**
 * On phones, the first step of a new bot needs no data, so the screen is complete from the start.
 */
const COMPLETE = ['/bot-config/new']

describe('placeholders for loading data', () => {
  test.each(USERS.filter(({ name }) => firstQueries(name).length > 0).map(({ path }) => path))(
    'keep the layout of %s stable when the data arrives',
    async (path) => {
      let answerAll = (): void => undefined
      const over = new Promise<void>((resolve) => (answerAll = resolve))
      const calls = { held: 0, answered: 0 }
      const page = await product.open('about:blank', ada, {
        before: async (opened) => {
          await changeFirstData(({ getUser, getConfig }) => ({ getUser, getConfig }))(opened)
          await opened.route(
            (url) => url.pathname.startsWith('/api/') && url.pathname !== plainRoutes.events,
            async (route) => {
              calls.held += 1
              await over
              await route.fulfill({ response: await route.fetch() })
              calls.answered += 1
            },
          )
        },
      })
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
      await expect.poll(() => calls.held).toBeGreaterThan(0)
      const placeholders = page.locator('.motion-safe\\:animate-breathe')
      if (COMPLETE.includes(path)) expect(await placeholders.count()).toBe(0)
      else await placeholders.first().waitFor()
      await page.evaluate(() => {
        Object.assign(window, { shift: 0 })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            (window as unknown as { shift: number }).shift += (
              entry as unknown as { value: number }
            ).value
        }).observe({ type: 'layout-shift', buffered: false })
      })
      answerAll()
      await expect
        .poll(async () => [calls.held - calls.answered, await placeholders.count()])
        .toEqual([0, 0])
      await page.waitForTimeout(300)
      const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift)
      console.log(`layout shift of ${path}: ${shift.toFixed(4)}`)
      expect(shift).toBeLessThanOrEqual(MOST_SHIFT)
      await page.context().close()
    },
  )
})

describe('the profile', () => {
  test('the profile keeps the theme across reloads, from the first paint', async () => {
    const page = await product.open('/profile', ada)
    const paper = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await paper()
    await page.getByRole('button', { name: 'Dark', exact: true }).click()
    await expect.poll(paper).not.toBe(light)
    const dark = await paper()
    await page.reload()
    expect([
      await paper(),
      await page.evaluate(() => document.documentElement.dataset['theme']),
    ]).toEqual([dark, 'dark'])
    await page.getByRole('button', { name: 'System', exact: true }).click()
    await expect.poll(paper).toBe(light)
    await page.context().close()
  })

  test('hides the balance there and on Home, across reloads', async () => {
    const page = await product.open('/profile', ada)
    await page.getByText('$900.00').first().waitFor()
    await page.getByRole('button', { name: 'Hide balance' }).click()
    await expect.poll(() => page.getByText('$900.00').count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Show balance' }).waitFor()
    await page.goto('/')
    await page.getByText('Balance hidden').waitFor()
    await page.getByRole('button', { name: 'Show balance' }).click()
    await page.getByText('$1,000.00').first().waitFor()
    await page.context().close()
  })

  test('ends a session: the device of that session shows the login by itself', async () => {
    const user = await product.world.user()
    const here = await product.open('/profile', user)
    const there = await signInElsewhere(user)
    await here.reload()
    await here.getByRole('button', { name: /^End / }).click()
    await here.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await toast(here).getByText('Session ended').waitFor()
    expect(await here.getByText('This device').count()).toBe(1)
    await there.waitForURL('**/login')
    await Promise.all([here.context().close(), there.context().close()])
  })

  test('changes the password: this device stays signed in, others are signed out', async () => {
    const user = await product.world.user()
    const here = await product.open('/profile', user)
    const there = await signInElsewhere(user)
    await here.getByRole('button', { name: 'Change password' }).click()
    const sheet = here.getByRole('dialog')
    await sheet.getByLabel('Current password').fill('not the password')
    await sheet.getByLabel('New password').fill('a new long password')
    await sheet.getByRole('button', { name: 'Change password' }).click()
    await sheet.getByText('This password is incorrect.').waitFor()
    await sheet.getByLabel('Current password').fill('correct horse battery')
    await sheet.getByRole('button', { name: 'Change password' }).click()
    await toast(here).getByText('Password changed').waitFor()
    await there.waitForURL('**/login')
    await here.reload()
    await here.getByText(`@${user.username}`).waitFor()
    expect(await here.getByRole('button', { name: /^End / }).count()).toBe(0)
    await Promise.all([here.context().close(), there.context().close()])
  })
})

async function signInElsewhere({ username }: TestUser): Promise<Page> {
  const page = await product.open('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByText(/^Welcome back, /).waitFor()
  return page
}
