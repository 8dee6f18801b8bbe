import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { THEME_COLORS } from '#contract/page-data.ts'
import { openProduct, waitUntilInteractive, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { PHONE } from './chromium.ts'

const DESK = { viewport: { width: 1_280, height: 800 }, isMobile: false, hasTouch: false } as const

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
})
afterAll(() => product.close())

const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const boxOf = async (page: Page, selector: string) =>
  (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

describe('from 768 px the tabs are a side rail', () => {
  test.each([
    { width: 390, place: { x: 0, width: 390 }, isRail: false },
    { width: 768, place: { x: 0, width: 96 }, isRail: true },
    { width: 1_280, place: { x: 0, width: 224 }, isRail: true },
  ])('the tabs have their place at $width px', async ({ width, place, isRail }) => {
    const page = await product.open('/', ada, { ...DESK, viewport: { width, height: 800 } })
    const [rail, main] = [await boxOf(page, 'nav'), await boxOf(page, 'main')]
    expect(rail).toMatchObject(place)
    expect([rail.height, rail.y + rail.height]).toEqual([isRail ? 800 : expect.closeTo(61, 0), 800])
    expect(main.x).toBeGreaterThanOrEqual(isRail ? place.width : 0)
    expect(await nav(page).getByRole('link').allInnerTexts()).toEqual([
      'Home',
      'Bots',
      'History',
      'Help',
      'Profile',
    ])
    await page.context().close()
  })

  test.each([
    ['a phone', PHONE, { left: 0, tabs: 61 }],
    ['a desk', DESK, { left: 224, tabs: 0 }],
  ] as const)(
    'the rail has its space reserved on %s: a page that arrives in parts does not shift',
    async (_on, device, room) => {
      const page = await product.open('/login', undefined, { ...device, isEarly: true })
      await page
        .context()
        .addCookies([{ name: 'sid', value: ada.cookie.split('=')[1] ?? '', url: page.url() }])
      await page.route('**/assets/*.js', () => undefined)
      await page.route('/', async (route) => {
        const response = await route.fetch()
        const html = await response.text()
        await route.fulfill({ response, body: html.slice(0, html.indexOf('<nav id="main-nav"')) })
      })
      await page.goto('/', { waitUntil: 'commit' })
      await page.locator('#root').waitFor({ state: 'attached' })
      const found = await page.evaluate(() => {
        const probe = document.createElement('i')
        probe.style.cssText = 'position: fixed; bottom: var(--tabs); height: 0'
        document.body.append(probe)
        return {
          left: document.getElementById('root')?.getBoundingClientRect().left,
          tabs: Math.round(innerHeight - probe.getBoundingClientRect().bottom),
        }
      })
      expect(found).toEqual(room)
      expect(await nav(page).count()).toBe(0)
      await page.context().close()
    },
  )

  test.each([
    { where: 'before its first tab', until: '<li>' },
    { where: 'between two tabs', until: '</li>' },
  ])('a page has its size and its columns if the page is cut off $where', async ({ until }) => {
    const page = await product.open('/login', undefined, { isEarly: true })
    await page
      .context()
      .addCookies([{ name: 'sid', value: ada.cookie.split('=')[1] ?? '', url: page.url() }])
    await page.route('**/assets/*.js', () => undefined)
    const openCutAt = async (cut: (html: string) => number) => {
      await page.route('/', async (route) => {
        const response = await route.fetch()
        const html = await response.text()
        await route.fulfill({ response, body: html.slice(0, cut(html)) })
      })
      await page.goto('/', { waitUntil: 'commit' })
      await nav(page).waitFor({ state: 'attached' })
      const boxes = await page
        .locator('#main-nav, #main-nav a')
        .evaluateAll((found) =>
          found.map((element) => element.getBoundingClientRect().toJSON() as unknown),
        )
      await page.unroute('/')
      return boxes
    }
    const whole = await openCutAt((html) => html.length)
    const part = await openCutAt(
      (html) => html.indexOf(until, html.indexOf('<nav id="main-nav"')) + until.length,
    )
    expect(whole).toHaveLength(1 + 5)
    expect(part).toEqual(whole.slice(0, part.length))
    await page.context().close()
  })

  test('a task hides the tabs on a phone and shows the rail on a desktop', async () => {
    const page = await product.open('/deposit', ada)
    await page.getByRole('heading', { name: 'Deposit Funds' }).waitFor()
    expect(await nav(page).count()).toBe(0)
    await page.setViewportSize(DESK.viewport)
    await nav(page).waitFor()
    const main = await boxOf(page, 'main')
    expect([main.width, main.x + main.width / 2]).toEqual([
      480,
      expect.closeTo((224 + 1_280) / 2, -1),
    ])
    await page.context().close()
  })

  test('the evidence page keeps the tabs', async () => {
    const page = await product.open('/evidence', ada)
    await nav(page).getByRole('link', { name: 'Home' }).click()
    await page.getByText('Welcome back, Ada').waitFor()
    await page.context().close()
  })
})

test('the first tab stop of a screen skips the navigation and adds no history entry', async () => {
  const page = await product.open('/history', ada)
  await page.getByRole('heading', { name: 'Transaction History' }).waitFor()
  const before = await page.evaluate(() => history.length)
  await page.keyboard.press('Tab')
  expect((await boxOf(page, 'a[href="#content"]')).y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await page.keyboard.press('Tab')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
    .toBe('Notifications')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('All')
  expect(await page.evaluate(() => [location.hash, history.length])).toEqual(['', before])
  await page.context().close()
})

test('a control focused by keyboard is not covered by the tabs', async () => {
  const page = await product.open('/profile', ada)
  await page.getByRole('heading', { name: 'Appearance' }).waitFor()
  const covered: string[] = []
  for (let stop = 0; stop < 25; stop += 1) {
    await page.keyboard.press('Tab')
    covered.push(...(await page.evaluate(coveredStop)))
  }
  expect(covered).toEqual([])
  await page.context().close()
})

/** Runs in the page: the focused control if it overlaps the tabs. */
function coveredStop(): string[] {
  const focused = document.activeElement
  const tabs = document.querySelector('nav')
  if (!focused || !tabs || tabs.contains(focused) || focused === document.body) return []
  return focused.getBoundingClientRect().bottom > tabs.getBoundingClientRect().top
    ? [focused.textContent]
    : []
}

describe('an unknown address', () => {
  test.each([false, true])('returns 404 and a link onward, signed in: %s', async (isSignedIn) => {
    const statuses: number[] = []
    const before = (page: Page) =>
      Promise.resolve(
        page.on(
          'response',
          (response) =>
            response.request().isNavigationRequest() && statuses.push(response.status()),
        ),
      )
    const page = await product.open('/no-such-page', isSignedIn ? ada : undefined, { before })
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await waitUntilInteractive(page)
    expect([statuses, await nav(page).count()]).toEqual([[404], isSignedIn ? 1 : 0])
    await page.getByRole('link', { name: 'Get help' }).click()
    await page.getByRole('heading', { name: 'AI Help Chat' }).waitFor()
    await page.context().close()
  })

  test.each(['/history/', '/bot-config/unknown', '/login'])(
    'such an address is not %s',
    async (path) => {
      expect(
        (
          await fetch(`${product.url}${path}`, {
            headers: { accept: 'text/html', cookie: ada.cookie },
          })
        ).status,
      ).toBe(200)
    },
  )
})

test("the browser's own bars have the chosen theme, also on a page from the server", async () => {
  const page = await product.open('/profile', ada)
  const { light, dark } = THEME_COLORS
  const bars = () =>
    page
      .locator('meta[name=theme-color]')
      .evaluateAll((all) => all.map((bar) => (bar as HTMLMetaElement).content))
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const rgb = (hex: string) =>
    `rgb(${[1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)).join(', ')})`
  expect([await bars(), await paper()]).toEqual([[light, dark], rgb(light)])
  await page.getByRole('button', { name: 'Dark' }).click()
  expect([await bars(), await paper()]).toEqual([[dark, dark], rgb(dark)])
  await page.reload()
  expect(await bars()).toEqual([dark, dark])
  await page.getByRole('button', { name: 'System' }).click()
  expect(await bars()).toEqual([light, dark])
  await page.context().close()
})

describe('with colors that the device forces', () => {
  const looks = (element: Element) => {
    const { backgroundColor, color, borderTopWidth, borderTopColor } = getComputedStyle(element)
    return [backgroundColor, color, borderTopWidth, borderTopColor].join(' ')
  }

  test.each([
    {
      what: 'the current tab',
      path: '/history',
      chosen: 'nav a[aria-current=page]',
      other: 'nav a:not([aria-current])',
    },
    {
      what: 'the chosen filter',
      path: '/history',
      chosen: '[role=tab][aria-selected=true]',
      other: '[role=tab][aria-selected=false]',
    },
    {
      what: 'the chosen theme',
      path: '/profile',
      chosen: 'button[aria-pressed=true]',
      other: 'button[aria-pressed=false]',
    },
  ])('$what looks different', async ({ path, chosen, other }) => {
    const page = await product.open(path, ada, { forcedColors: 'active' })
    expect(await page.locator(chosen).first().evaluate(looks)).not.toBe(
      await page.locator(other).first().evaluate(looks),
    )
    await page.context().close()
  })

  test('a button has a visible edge', async () => {
    const page = await product.open('/', ada, { forcedColors: 'active' })
    const edge = await page.getByRole('link', { name: 'Deposit' }).evaluate((link) => {
      const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } =
        getComputedStyle(link)
      return {
        style: borderTopStyle,
        isWide: Number.parseFloat(borderTopWidth) >= 1,
        isSeen: borderTopColor !== backgroundColor && borderTopColor !== 'rgba(0, 0, 0, 0)',
      }
    })
    expect(edge).toEqual({ style: 'solid', isWide: true, isSeen: true })
    await page.context().close()
  })
})
