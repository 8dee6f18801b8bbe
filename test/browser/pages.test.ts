import { createServer } from 'node:http'
import { setTimeout as pass } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allScreens, screensFor } from '#contract/screens.ts'
import { openProduct, type OpenOptions, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { addressOf } from './address.ts'

/** Far from UTC: for nine hours of each day it is already the next day there. */
const TOKYO = { timezoneId: 'Asia/Tokyo' } as const
const pathsFor = (isSignedIn: boolean) => [
  ...screensFor(isSignedIn).map(({ path }): string => path),
  '/nowhere',
]
const MOST_SHIFT = 0.005

let product: Product
let ada: TestUser
let botId = ''
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  await ada.addBankAccount()
  const body = {
    name: 'Steady',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT', 'ETH/USDT'],
    investmentAmount: '100',
  }
  botId = (await ada.call('createBot', { body })).id
  await product.world.hours(30)
  await ada.call('requestWithdrawal', { body: { amount: '20' } })
})
afterAll(() => product.close())

type Watched = { page: Page; complaints: string[] }

/** Opens a page that records the browser's complaints. */
async function openWatched(
  path: string,
  user?: TestUser,
  options: OpenOptions = {},
): Promise<Watched> {
  const complaints: string[] = []
  const before = async (page: Page) => {
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on(
      'console',
      (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
    )
    await page.addInitScript(watchLife)
    await options.before?.(page)
  }
  const page = await product.open(path, user, {
    ...TOKYO,
    serviceWorkers: 'allow',
    ...options,
    before,
  })
  return { page, complaints }
}

type Life = { isInteractive: boolean; shift: number }

/** Runs in the page. */
function watchLife(): void {
  const life: Life = { isInteractive: false, shift: 0 }
  Object.assign(window, { life })
  document.addEventListener('interactive', () => (life.isInteractive = true))
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) life.shift += 'value' in entry ? Number(entry.value) : 0
  }).observe({ type: 'layout-shift', buffered: true })
}

const lifeOf = (page: Page) => page.evaluate(() => (window as unknown as { life: Life }).life)
const interactive = (page: Page) =>
  page.waitForFunction(() => (window as unknown as { life: Life }).life.isInteractive)

describe('each page hydrates without complaints or layout shifts, far from UTC', () => {
  const rows = [false, true].flatMap((isSignedIn) =>
    pathsFor(isSignedIn).map((path) => ({ path, isSignedIn })),
  )
  test.each([...rows, { path: '/bot-config/unknown', isSignedIn: true }])(
    '$path, signed in: $isSignedIn',
    async ({ path, isSignedIn }) => {
      const { page, complaints } = await openWatched(
        addressOf(path, botId),
        isSignedIn ? ada : undefined,
      )
      await interactive(page)
      await page.evaluate(
        () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
      )
      // The page of an unknown path, and the request for an unknown bot, are answered with 404.
      if (path.endsWith('/unknown')) await page.getByText("We couldn't find that bot.").waitFor()
      const isMissing = path === '/nowhere' || path.endsWith('/unknown')
      expect(complaints.filter((said) => !(isMissing && said.includes('404')))).toEqual([])
      expect((await lifeOf(page)).shift).toBeLessThanOrEqual(MOST_SHIFT)
      await page.context().close()
    },
  )
})

/** Forwards to the product, in pieces that each end with the opening tag of an element. */
async function inPieces() {
  const server = createServer((request, response) => {
    const { cookie = '', accept = '' } = request.headers
    void fetch(`${product.url}${request.url}`, { headers: { cookie, accept } }).then(
      async (whole) => {
        const type = whole.headers.get('content-type') ?? ''
        response.writeHead(whole.status, { 'content-type': type })
        if (!type.startsWith('text/html')) return response.end(await whole.bytes())
        for (const piece of (await whole.text()).split(
          /(?<=<(?:nav|ul|main|section|header|h[12])\b[^>]*>)/,
        )) {
          response.write(piece)
          await pass(40)
        }
        return response.end()
      },
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  return {
    url: typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '',
    [Symbol.dispose]: () => server.close(),
  }
}

test.each(screensFor(true))('nothing on $path moves while it arrives', async ({ path }) => {
  using slow = await inPieces()
  const { page } = await openWatched('about:blank', ada, { serviceWorkers: 'block' })
  await page.goto(slow.url + addressOf(path, botId), { waitUntil: 'domcontentloaded' })
  expect((await lifeOf(page)).shift).toBeLessThanOrEqual(MOST_SHIFT)
  await page.context().close()
})

test.each(allScreens.filter(({ path }) => !path.includes(':')))(
  '$name has the title that the table of screens gives it',
  async ({ path, title, access }) => {
    const page = await product.open(path, access === 'user' ? ada : undefined, {
      javaScriptEnabled: false,
    })
    expect((await page.title()).split(' · ')[0]).toBe(title)
    await page.context().close()
  },
)

describe('without any script', () => {
  /** A text by which each screen is recognized; by default its title. */
  const figures: Record<string, string> = {
    '/': 'Bitcoin',
    '/deposit': 'Choose Amount',
    '/withdraw': 'First Bank',
    '/bot-config': 'Steady',
    '/history': 'Card deposit',
    '/profile': '@ada',
    '/track-record': 'Results here are within',
    '/nowhere': '404 Page Not Found',
  }
  const titles = Object.fromEntries(screensFor(true).map(({ path, title }) => [path, title]))
  test.each(pathsFor(true).filter((path) => !path.includes(':')))(
    '%s can be read',
    async (path) => {
      const state = async () => (await ada.call('getTrackRecord')).state
      if (path === '/track-record') await expect.poll(state).toBe('figures')
      const page = await product.open(path, ada, { javaScriptEnabled: false })
      await page
        .getByText(figures[path] ?? titles[path] ?? 'no title')
        .filter({ visible: true })
        .first()
        .waitFor()
      expect(await page.getByText('Loading…').count()).toBe(0)
      expect(
        await page.locator('.motion-safe\\:animate-breathe').count(),
        'no placeholder is shown',
      ).toBe(0)
      await page.context().close()
    },
  )

  test('a bot shows its figures and trades', async () => {
    const page = await product.open(`/bot-config/${botId}`, ada, { javaScriptEnabled: false })
    await page.getByRole('heading', { name: 'Steady' }).waitFor()
    await page.getByRole('heading', { name: 'Trades' }).waitFor()
    await page.context().close()
  })

  test('a comparison shows how both grew', async () => {
    const page = await product.open(`/compare/${botId}`, ada, { javaScriptEnabled: false })
    await page
      .getByText(/^Since .*, Steady (gained|lost) \d+\.\d\d% and \w+ would have (gained|lost)/)
      .waitFor()
    expect(
      await page.locator('svg path.stroke-ink, svg path.stroke-accent').count(),
      'both lines are drawn',
    ).toBe(2)
    await page.context().close()
  })

  test('a hidden balance stays hidden, and dates are in the user’s time zone', async () => {
    const page = await product.open('about:blank', ada, { javaScriptEnabled: false })
    await product.world.context
      .sql`update transactions set created_at = '2026-03-04T20:00:00Z' where user_id = ${ada.id}
        and type = 'deposit'`
    await page.context().addCookies([
      { name: 'hide-balance', value: 'yes', url: product.url },
      { name: 'time-zone', value: 'Asia/Tokyo', url: product.url },
    ])
    await page.goto(product.url)
    await page.getByText('Balance hidden').waitFor()
    const total = (await ada.call('getUser')).totalBalance
    expect((await page.locator('#root').textContent())?.replaceAll(',', '')).not.toContain(total)
    const row = await page.getByRole('link', { name: /^Steady, active\. Hidden, / }).textContent()
    // Prices of the market stay.
    expect(row?.replaceAll(/(above|below) \$[\d.,]+/g, '')).not.toMatch(/\$[\d.]/)
    await page.goto(`${product.url}/history`)
    // The row of a phone. The desk's row, which is not shown here, has the time beside the day.
    await page.getByText('Mar 5, 2026', { exact: true }).waitFor()
    expect(await page.locator('#root').textContent()).not.toMatch(/\$[\d.]/)
    await page.context().close()
  })
})

describe('the form beside the list of bots, in a page whose scripts have not run', () => {
  const DESK = { isMobile: false, hasTouch: false, javaScriptEnabled: false } as const
  /** Chromium reports a phone to the server only under its own product name. */
  const PHONE_AGENT =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/153.0.0.0 Mobile Safari/537.36'
  const risk = (page: Page) =>
    page.getByRole('heading', { name: /^Your Moderate bot/, includeHidden: true })

  test.each([
    {
      device: 'a desktop computer',
      options: { ...DESK, viewport: { width: 1_280, height: 800 } },
      inPage: 1,
      isShown: true,
    },
    {
      device: 'a narrow window on a desktop computer',
      options: { ...DESK, viewport: { width: 700, height: 800 } },
      inPage: 1,
      isShown: false,
    },
    {
      device: 'a phone',
      options: { javaScriptEnabled: false, userAgent: PHONE_AGENT },
      inPage: 0,
      isShown: false,
    },
  ])('$device', async ({ options, inPage, isShown }) => {
    const page = await product.open('/bot-config', ada, options)
    await page.getByText('Steady').first().waitFor()
    expect(await risk(page).count()).toBe(inPage)
    expect(await risk(page).isVisible()).toBe(isShown)
    await page.context().close()
  })

  test('disappears from a narrow window once they have run, without an error', async () => {
    const { page, complaints } = await openWatched('/bot-config', ada, {
      ...DESK,
      javaScriptEnabled: true,
      viewport: { width: 700, height: 800 },
    })
    await interactive(page)
    await expect.poll(() => risk(page).count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

test("a bot with many amounts reads the browser's cookies only a few times", async () => {
  const asked: string[] = []
  const { page } = await openWatched(`/bot-config/${botId}`, ada, {
    before: async (opened) => {
      opened.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await opened.addInitScript(countCookieReads)
    },
  })
  await interactive(page)
  expect(await page.locator('#root bdi').count(), 'amounts on the page').toBeGreaterThan(20)
  expect(
    await page.evaluate(() => (window as unknown as { cookieReads: number }).cookieReads),
  ).toBeLessThan(20)
  expect(asked.filter((path) => path === '/api/crypto/prices')).toEqual([])
  await page.context().close()
})

/** Runs in the page. */
function countCookieReads(): void {
  const cookies = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')
  const counted = Object.assign(window, { cookieReads: 0 })
  Object.defineProperty(Document.prototype, 'cookie', {
    ...cookies,
    get(this: Document): string {
      counted.cookieReads += 1
      return String(cookies?.get?.call(this))
    },
  })
}

test('from the second visit on, dates are right from the first paint', async () => {
  const { page, complaints } = await openWatched('/history', ada)
  await interactive(page)
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === 'time-zone')?.value).toBe('Asia/Tokyo')
  await page.getByText('Mar 5, 2026', { exact: true }).waitFor()
  const html = await (
    await page.context().request.get('/history', { headers: { accept: 'text/html' } })
  ).text()
  expect(html).toContain('Mar 5, 2026')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('concurrent requests each get their own user’s page, and pages are not cached', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => product.world.user()))
  const asked = users.flatMap((user) =>
    ['/', '/profile', '/history'].map((path) => ({ user, path })),
  )
  const pages = await Promise.all(
    asked.map(async ({ user, path }) => {
      const answer = await fetch(product.url + path, {
        headers: { cookie: user.cookie, accept: 'text/html' },
      })
      return {
        user,
        html: await answer.text(),
        cache: answer.headers.get('cache-control'),
        time: answer.headers.get('server-timing'),
      }
    }),
  )
  for (const { user, html, cache } of pages) {
    expect(cache).toBe('no-store')
    expect(html).toContain(`"username":"${user.username}"`)
    for (const other of users)
      if (other !== user)
        expect(html.includes(`"${other.username}"`) || html.includes(`@${other.username}<`)).toBe(
          false,
        )
  }
  console.log(`the last of ${pages.length} pages at once: ${pages.at(-1)?.time}`)
})
