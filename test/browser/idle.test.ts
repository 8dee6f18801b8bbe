import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes } from '#contract/routes.ts'
import { required } from '#core/assert.ts'
import { stopClock } from '../spec/clock.ts'
import { openProduct, waitUntilInteractive, type Product } from '../spec/product.ts'
import { caughtUp, isScript, listen, nameOf } from '../spec/requests.ts'
import type { TestUser } from '../world/world.ts'
import { STREAM_OF_BEFORE, watchTraffic, type Traffic } from './traffic.ts'

let product: Product
let ada: TestUser
let botId = ''
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user()
  await ada.deposit('1000')
  const body = {
    name: 'Wide',
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'],
    investmentAmount: '600',
  }
  botId = (await ada.call('createBot', { body })).id
  // Holds coins all the time, whose worth changes with the prices.
  await ada.call('createBot', {
    body: { ...body, name: 'Held', strategy: 'hold', investmentAmount: '300' },
  })
  await product.world.hours(48)
})
afterAll(() => product.close())

const STREAM = `GET ${plainRoutes.events}`
const PORTFOLIO = `GET ${routes.getPortfolio.path}`
const CURVE = `GET ${routes.getBalanceCurve.path}`
const PERFORMANCE = `GET ${routes.getBotPerformance.path}`
const TRADES = `GET ${routes.listBotTrades.path}`

/** Hides or shows the tab, as switching to another does. */
function turn(page: Page, visibilityState: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange'))
  }, visibilityState)
}

const total = (page: Page, amount: string) =>
  page.getByRole('region', { name: 'Total Balance' }).getByText(amount).first().waitFor()
const shownTotal = (page: Page) =>
  page
    .getByRole('region', { name: 'Total Balance' })
    .locator('.font-semibold > .sr-only')
    .first()
    .textContent()
const totalOf = async (user: TestUser) => {
  const { totalBalance } = await user.call('getUser')
  return `$${Number(totalBalance).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
}

test('a hidden tab has no stream; shown again, it gets missed changes once', async () => {
  const user = await product.world.user()
  await user.deposit('100')
  const streams: string[] = []
  const ended: string[] = []
  const page = await product.open('/', user, {
    before: async (opened) => {
      opened.on('request', (request) => nameOf(request) === STREAM && streams.push(request.url()))
      opened.on(
        'requestfailed',
        (request) => nameOf(request) === STREAM && ended.push(request.url()),
      )
    },
  })
  await waitUntilInteractive(page)
  await user.deposit('20')
  await total(page, '$120.00')
  await turn(page, 'hidden')
  await expect.poll(() => ended).toEqual(streams)
  const heard = listen(page)
  await user.deposit('30')
  await product.world.hours(1)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await caughtUp(page)
  // Only API requests, because the app loads its own files when the machine is idle.
  expect(heard.filter((call) => call.startsWith('GET /api/'))).toEqual([])
  await turn(page, 'visible')
  await total(page, '$150.00')
  expect(streams).toHaveLength(2)
  expect(new URL(streams[1] ?? '').searchParams.get('since')).toMatch(/^\d+\.\d+$/)
  await caughtUp(page)
  expect(heard.filter((call) => call === PORTFOLIO)).toHaveLength(1)
  await page.context().close()
})

test('a page opened in a hidden tab opens its stream when it is shown', async () => {
  const hide = () =>
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
  const page = await product.open('/', ada, { before: (opened) => opened.addInitScript(hide) })
  const heard = listen(page)
  await waitUntilInteractive(page)
  await caughtUp(page)
  expect(heard).not.toContain(STREAM)
  await turn(page, 'visible')
  await product.world.hours(1)
  await total(page, await totalOf(ada))
  expect(heard).toContain(STREAM)
  await page.context().close()
})

/** Number of events in ten minutes on a fast market, which sends prices every two seconds. */
const EVENTS = 300
const SECONDS_AN_EVENT = 2
const STEPS = 20

/**
 * Pages, and the calls that each makes once a minute while only the market moves; the second call
 * only after a trade or after prices of several hours at once.
 */
const RESTING = () => [
  { path: '/', asked: [PORTFOLIO, CURVE] },
  { path: '/bot-config', asked: [PORTFOLIO] },
  {
    path: `/bot-config/${botId}`,
    asked: [PERFORMANCE, TRADES].map((path) => path.replace(':id', botId)),
  },
]

test('an idle page requests at most twice a minute; ten minutes take 0.6 MB', async () => {
  const pages = await Promise.all(
    RESTING().map(async ({ path, asked }) => {
      const page = await product.open(path, ada)
      await stopClock(page)
      return {
        page,
        path,
        asked,
        traffic: await watchTraffic(await page.context().newCDPSession(page)),
      }
    }),
  )
  const callsOf = ({ calls }: Traffic) => calls.filter((call) => !isScript(call))
  // The first event contains all hours closed since the page requested the prices.
  await product.world.hours(1)
  for (const { page, traffic } of pages) {
    await expect.poll(() => traffic.events).toBeGreaterThan(0)
    await page.clock.runFor(SECONDS_AN_EVENT * 1_000)
  }
  for (const { traffic } of pages) traffic.bytes.clear()
  const home = required(pages[0], 'the page of Home').page
  const worths = new Set<string | null>()
  for (let step = 0; step < STEPS; step += 1) {
    const before = pages.map(({ traffic }) => traffic.events)
    await product.world.hours(1)
    for (const [place, { page, traffic }] of pages.entries()) {
      await expect.poll(() => traffic.events).toBeGreaterThan(before[place] ?? 0)
      await page.clock.runFor(SECONDS_AN_EVENT * 1_000)
    }
    worths.add(await shownTotal(home))
  }
  expect(worths.size, 'the balance follows').toBeGreaterThan(1)
  // The last hour's trades are an event of their own, which may come after its prices.
  const shownSoon = async () => (await home.clock.runFor(100), shownTotal(home))
  const owned = await totalOf(ada)
  await expect.poll(shownSoon).toBe(owned)
  for (const { path, traffic } of pages)
    expect(
      callsOf(traffic),
      `${path}: nothing is asked for in ${STEPS * SECONDS_AN_EVENT} seconds`,
    ).toEqual([])
  const streamed = pages[0]?.traffic.bytes.get(STREAM_OF_BEFORE) ?? 0
  expect(streamed, 'the stream is measured').toBeGreaterThan(0)
  for (const { page, path, asked, traffic } of pages) {
    await page.clock.runFor(60_000)
    await caughtUp(page)
    const made = callsOf(traffic).filter((call) => !call.startsWith('HEAD'))
    expect(made, `of ${path}`).toContain(asked[0])
    expect(asked, `of ${path}`).toEqual(expect.arrayContaining(made))
    expect(new Set(made).size, `of ${path}`).toBe(made.length)
  }
  const answer = gzipSync(JSON.stringify(await ada.call('getPortfolio'))).length
  expect(streamed * (EVENTS / STEPS) + answer * 10, 'bytes in ten minutes').toBeLessThan(600_000)
  for (const { page } of pages) await page.context().close()
})
