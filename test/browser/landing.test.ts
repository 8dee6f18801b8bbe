import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { readShippedEvidence } from '#server/evidence/shipped-evidence.ts'
import { dotsOf } from '#app/ui/charts/hundred-dots.tsx'
import {
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { changeFirstData } from '../spec/first-data.ts'
import { caughtUp } from '../spec/requests.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { expectTenPackets } from './first-visit.ts'
import { wordsShown } from './words-shown.ts'

const TEXTS = [
  'Trading Bot',
  'AI-powered crypto trading',
  'Up to 75% Returns',
  'Target, not a promise: you can lose money.',
  'Hypothetical: Aggressive bots, after costs. Recorded Binance prices.',
  'Start Trading Now',
  'I Have an Account',
  'Automated Trading Bots',
  'Secure & Licensed',
  'Bank-grade security: account numbers encrypted. Operator licence: Test Authority 4711',
  'Instant Results',
  'Real-time profit tracking, losses included.',
  'Live Trading',
  'Simulated prices.',
  'Secure',
  'AI Powered',
  'Trades follow fixed rules. A machine-learning model forecasts how far prices may ',
  'Paper money',
  'How it works',
  'Questions',
]
const BEHIND_DOORS = [
  'Add paper money',
  'A bot at work',
  'Hypothetical: no money moved',
  'Buy and hold',
  'Our fee',
  '15.00%',
  'Trading fees',
  `${VENUE_COSTS.kraken.feeBps / 100}0%`,
  'Can I lose money?',
]
const LINKS = {
  'Start Trading Now': '/signup',
  'I Have an Account': '/login',
  'starts lost money after 12 months.': '/evidence',
  'AI Powered': '/forecasts',
  'All past results': '/evidence',
  'Track record': '/track-record',
  'Range forecasts and their scores': '/forecasts',
  'Ask something else': '/help',
}

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  const env = { OPERATOR_LICENCE: 'Test Authority 4711' }
  ;[server, browser] = await Promise.all([
    startServer({ dataDir: await makeDataDir(), env }),
    launchBrowser(),
  ])
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await removeDataDir(server.dataDir)
})

const phone = (options: object = {}): Promise<BrowserContext> =>
  browser.newContext({ ...PHONE, baseURL: server.url, reducedMotion: 'reduce', ...options })

/** Opens a page that records console errors and layout shifts. */
async function openWatched(
  context: BrowserContext,
): Promise<{ page: Page; complaints: string[]; shift: () => Promise<number> }> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.addInitScript(() => {
    const shifts = { total: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.total += 'value' in entry ? Number(entry.value) : 0
    }).observe({ type: 'layout-shift', buffered: true })
    document.addEventListener('DOMContentLoaded', () =>
      Object.assign(document.querySelector('h1') ?? {}, { isFirst: true }),
    )
  })
  return {
    page,
    complaints,
    shift: () =>
      page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total),
  }
}

/** React marks the root's DOM nodes once it has hydrated them. */
const hydrated = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.getElementById('root')?.firstChild ?? {}).some((key) =>
      key.startsWith('__react'),
    ),
  )

/** The words of a page as the server sends it, before any script. */
async function firstPaint(path: string, cookie = ''): Promise<string> {
  const html = await (
    await fetch(`${server.url}${path}`, { headers: { accept: 'text/html', cookie } })
  ).text()
  return html
    .replaceAll(/<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#x27;', "'")
}

async function cookieOfNewcomer(): Promise<string> {
  const body = JSON.stringify({
    username: 'newcomer',
    password: 'correct horse battery',
    firstName: 'Ada',
    lastName: 'L',
  })
  const answer = await fetch(`${server.url}/api/auth/signup`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body,
  })
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

test('on a fresh installation the pages with evidence are complete at first paint', async () => {
  const { evidence, guards } = readShippedEvidence()
  const signed = (percent: string) =>
    `${percent.startsWith('-') ? percent.replace('-', '\u2212') : `+${percent}`}%`
  const [, , aggressive] = evidence.levels
  const { median, worst, losingPercent } = required(aggressive, 'aggressive')
  const lost = Math.ceil(Number(losingPercent))
  for (const path of ['/', '/signup']) {
    const page = await firstPaint(path)
    expect(page).toContain(
      `${lost} of 100 starts lost money after 12 months. Median ${signed(median.percent)}, ` +
        `worst ${signed(worst.percent)}.`,
    )
    expect(page).toContain('Hypothetical: Aggressive bots, after costs. Recorded Binance prices.')
  }
  const newBot = await firstPaint('/bot-config', await cookieOfNewcomer())
  for (const level of evidence.levels)
    for (const figure of [
      signed(level.worst.percent),
      signed(level.median.percent),
      `${dotsOf(level).lost} of 100`,
    ])
      expect(newBot).toContain(figure)
  const page = await firstPaint('/evidence')
  const [, moderate] = evidence.levels
  const [others] = evidence.holdout
  const figures = [
    moderate?.median,
    moderate?.worst,
    moderate?.best,
    evidence.buyAndHold.median,
  ].map((outcome) =>
    signed(required(outcome, 'an outcome').percent).replace(/(\d)(\d{3}\.)/, '$1,$2'),
  )
  for (const text of [
    ...figures,
    `${moderate?.deepestFall}%`,
    'Not distinguishable from luck',
    evidence.dataHash,
    `At costs of ${others?.costs}% per trade, as here.`,
    signed(required(others, 'other coins').held.percent),
    `${moderate?.reachedPercent}% of start days reached this target. On ${others?.pairs} coins ` +
      `not used to choose the rules: ${others?.reached?.levels.moderate}%, at costs of ` +
      `${others?.reached?.costs}% per trade.`,
  ])
    expect(page).toContain(text)
  for (const text of [newBot, page]) expect(text).not.toContain('computed:')
  expect(await (await fetch(`${server.url}/api/evidence/guards`)).json()).toMatchObject({
    state: 'figures',
    ...guards,
  })
})

test('without JavaScript the landing page shows every text, and its links work', async () => {
  const context = await phone({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  for (const text of TEXTS)
    expect(await page.getByText(text).first().isVisible(), `${text} is there`).toBe(true)
  for (const text of BEHIND_DOORS)
    expect(await page.getByText(text).first().isVisible(), `${text} is behind a door`).toBe(false)
  for (const name of ['How it works', 'Costs', 'Questions'])
    await page.getByRole('heading', { name }).click()
  for (const text of BEHIND_DOORS)
    expect(await page.getByText(text).first().isVisible(), `${text} opens`).toBe(true)
  for (const [name, href] of Object.entries(LINKS))
    expect(await page.getByRole('link', { name }).getAttribute('href'), `${name} leads on`).toBe(
      href,
    )
  const drawing = page.getByRole('img', {
    name: /^Hypothetical worth of the bot: from \$1,000\.00/,
  })
  expect(
    await drawing.locator('svg path:not(.stroke-hairline)').count(),
    'the curve, buy and hold, the start',
  ).toBe(3)
  expect([2, 3]).toContain(await drawing.locator('svg path.stroke-hairline').count())
  expect(
    await page
      .getByRole('list', { name: 'Its latest trade' })
      .getByText(/invested\.?$/)
      .count(),
  ).toBeGreaterThan(0)
  const answer = page.getByText('Every risk level can lose money')
  expect(await answer.isVisible()).toBe(false)
  await page.getByText('Can I lose money?').click()
  expect(await answer.isVisible(), 'an answer opens').toBe(true)
  await page.getByRole('link', { name: 'Start Trading Now' }).click()
  expect(new URL(page.url()).pathname).toBe('/signup')
  await context.close()
})

test.each(['en', 'de'])(
  'the landing page, with its headers, fits into the first ten packets: %s',
  async (language) => {
    await expectTenPackets(server.url, language)
  },
)

test('the landing page, as opened, has at most 110 words, a track record included', async () => {
  const context = await phone({ serviceWorkers: 'block' })
  const page = await context.newPage()
  const now = {
    doing: '3 of 4 trends up. Buys above $73,587.',
    record: '12-day record: −1.23%',
  }
  const licence = 'Demo: no operator licence configured'
  await changeFirstData(({ getStrategyNow, getConfig, ...data }) => ({
    ...data,
    getStrategyNow: { ...(getStrategyNow as object), ...now },
    getConfig: { ...(getConfig as object), licence },
  }))(page)
  await page.route('**/api/strategy-now', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...now } })
  })
  await page.goto('/')
  await hydrated(page)
  await page.getByRole('link', { name: now.record }).waitFor()
  await page.getByText(licence).waitFor()
  expect((await wordsShown(page)).length).toBeLessThanOrEqual(110)
  await context.close()
})

test('evidence of other prices is labelled beside the claim, in at most 130 words', async () => {
  const context = await phone()
  const page = await context.newPage()
  await page.goto('/evidence')
  await page
    .getByText("Recorded Binance prices, not this market's.", { exact: true })
    .first()
    .waitFor()
  expect((await wordsShown(page)).length).toBeLessThanOrEqual(130)
  await context.close()
})

test('visitors watch the market and what bots do on it, live and without an account', async () => {
  const context = await phone()
  const page = await context.newPage()
  await page.goto('/')
  const feature = page.getByRole('listitem').filter({ hasText: 'Automated Trading Bots' })
  const price = feature.getByText(/^\$[\d,.]+$/)
  const first = await price.textContent()
  await feature.getByText(/^Moderate: \d+% invested$/).waitFor()
  await feature.getByRole('link', { name: 'Track record: none yet' }).waitFor()
  await expect.poll(() => price.textContent()).not.toBe(first)
  await context.close()
})

test('if there are no prices, old ones are hidden and the layout stays the same', async () => {
  const context = await phone({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto('/')
  const feature = page.getByRole('listitem').filter({ hasText: 'Automated Trading Bots' })
  await feature.getByRole('link', { name: 'Track record: none yet' }).waitFor()
  const height = (await feature.boundingBox())?.height
  const json = { code: 'market-unavailable', message: 'Prices are unavailable right now.' }
  await page.route('**/api/strategy-now', (route) => route.fulfill({ status: 503, json }))
  await feature.getByText(/^\$[\d,.]+$/).waitFor({ state: 'hidden' })
  expect(await feature.getByText(/% invested$/).isVisible()).toBe(false)
  const link = feature.getByRole('link', { name: 'Track record', exact: true })
  expect(await link.getAttribute('href')).toBe('/track-record')
  expect((await feature.boundingBox())?.height).toBe(height)
  await page.unroute('**/api/strategy-now')
  await feature.getByText(/^\$[\d,.]+$/).waitFor()
  await context.close()
})

test('no JavaScript loads before the load event; the page hydrates without shifts', async () => {
  const context = await phone()
  const { page, complaints, shift } = await openWatched(context)
  const asked: string[] = []
  let hasLoaded = false
  page.on('load', () => (hasLoaded = true))
  page.on('request', (request) => {
    const isScript = request.resourceType() === 'script' || request.url().endsWith('.js')
    if (isScript) asked.push(`${hasLoaded ? 'after' : 'before'} ${request.url()}`)
  })
  await page.goto('/')
  await hydrated(page)
  await caughtUp(page)
  expect(
    await page.evaluate(() => 'isFirst' in (document.querySelector('h1') ?? {})),
    'the markup was hydrated, not rendered again',
  ).toBe(true)
  expect(
    await page.evaluate(
      () =>
        [...document.styleSheets].filter(({ href }) => href?.includes('/assets/design-')).length,
    ),
    'the app runs with the complete styles',
  ).toBe(1)
  expect(asked.filter((line) => line.startsWith('before'))).toEqual([])
  expect(asked.length).toBeGreaterThan(0)
  const early = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const scripts = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
    return scripts
      .filter(({ startTime }) => startTime < (navigation?.loadEventStart ?? 0))
      .map(({ name }) => name)
  })
  expect(early).toEqual([])
  expect(await shift()).toBe(0)
  await page.getByRole('link', { name: 'I Have an Account' }).click()
  await page.getByRole('button', { name: 'Sign In' }).waitFor()
  expect(
    await page.evaluate(() => performance.getEntriesByType('navigation').length),
    'the app navigates without a page load',
  ).toBe(1)
  expect(complaints).toEqual([])
  expect(
    await shift(),
    'the real font is about as wide as the one it replaces on the next screen',
  ).toBeLessThan(0.001)
  await context.close()
})

test('signed-in users get Home with its data, and never see the landing page', async () => {
  const context = await phone()
  const page = await context.newPage()
  const body = {
    username: 'ada',
    password: 'a long password',
    firstName: 'Ada',
    lastName: 'Lovelace',
  }
  const answer = await context.request.post('/api/auth/signup', {
    data: body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  expect(answer.status()).toBe(201)
  const html = await (await context.request.get('/', { headers: { accept: 'text/html' } })).text()
  for (const text of [
    '<title>Home · Trading Bot</title>',
    'Welcome back, Ada',
    'Total Balance',
    'No active bots',
    'Bitcoin',
  ])
    expect(html.replaceAll('<!-- -->', '')).toContain(text)
  expect(html).toContain('"bots":[]')
  expect(html).not.toContain('Start Trading Now')
  await page.addInitScript(() => {
    const seen = { landing: false }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      seen.landing ||= document.body?.textContent.includes('Start Trading Now') ?? false
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  await page.getByText('Welcome back, Ada').waitFor()
  expect(
    await page.evaluate(() => (window as unknown as { seen: { landing: boolean } }).seen.landing),
  ).toBe(false)
  await context.close()
})

test('a page allows one inline script by its hash; rendering files are not served', async () => {
  const policyOf = async (path: string) => {
    const { headers } = await fetch(server.url + path, { headers: { accept: 'text/html' } })
    return /script-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
  }
  for (const path of ['/', '/login', '/nowhere'])
    expect(await policyOf(path)).toMatch(/^'self' 'sha256-[\w+/]{43}='$/)
  for (const file of ['prerender.js', 'page-script.js'])
    expect((await fetch(`${server.url}/${file}`)).status).toBe(404)
})

test('the picture of the app follows the theme, loads when near and is small', async () => {
  for (const [cookie, scheme, theme] of [
    ['', 'light', 'light'],
    ['', 'dark', 'dark'],
    ['dark', 'light', 'dark'],
    ['light', 'dark', 'light'],
  ] as const) {
    const context = await phone({ javaScriptEnabled: false, colorScheme: scheme })
    if (cookie !== '') await context.addCookies([{ name: 'theme', value: cookie, url: server.url }])
    const page = await context.newPage()
    const loading = page.waitForResponse((response) => response.url().endsWith('.webp'))
    await page.goto('/')
    await page.getByText('How it works').click()
    const picture = page.getByRole('img', { name: /^Home in the app/ })
    expect(await picture.getAttribute('loading')).toBe('lazy')
    await picture.scrollIntoViewIfNeeded()
    const response = await loading
    expect(new URL(response.url()).pathname, `${cookie || 'system'} on a ${scheme} device`).toBe(
      `/screenshots/landing-${theme}.webp`,
    )
    expect((await response.body()).length).toBeLessThanOrEqual(30_000)
    await context.close()
  }
})

test('on a small phone the first field of sign-up is in the upper two fifths', async () => {
  const context = await phone({ viewport: { width: 360, height: 640 } })
  const page = await context.newPage()
  await page.goto('/signup')
  const box = await page.getByLabel('Username').boundingBox()
  expect(box?.y).toBeLessThanOrEqual(256)
  await context.close()
})

test('a chosen theme applies before any script runs', async () => {
  const context = await phone({ javaScriptEnabled: false, colorScheme: 'light' })
  await context.addCookies([{ name: 'theme', value: 'dark', url: server.url }])
  const page = await context.newPage()
  await page.goto('/')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(
    'dark',
  )
  await context.close()
})
