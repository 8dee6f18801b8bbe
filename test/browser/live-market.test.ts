import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startExchange, type Exchange } from '../emulators/exchange.ts'
import {
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { PASSWORD } from './people.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let browser: Browser
let exchange: Exchange
let trading: NodeJS.Timeout
const servers: RunningServer[] = []

beforeAll(async () => {
  ;[browser, exchange] = await Promise.all([launchBrowser(), startExchange()])
  exchange.market.faults.callsPerSecond = 1.05
  trading = setInterval(exchange.market.tradeAll, 1_000)
})

afterAll(async () => {
  clearInterval(trading)
  await browser.close()
  for (const server of servers) await server.stop()
  for (const dataDir of new Set(servers.map((server) => server.dataDir)))
    await removeDataDir(dataDir)
  await exchange.close()
})

async function start(options: {
  dataDir: string
  env: Record<string, string>
}): Promise<RunningServer> {
  const server = await startServer({
    ...options,
    env: { MARKET_FEED: 'live', LOG_LEVEL: 'info', ...options.env },
  })
  servers.push(server)
  return server
}

const labelOf = async ({ url }: RunningServer) =>
  ((await (await fetch(`${url}/api/config`)).json()) as { feed: { label: string } }).feed.label

async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id }) => id),
      `${name}, ${colorScheme}`,
    ).toEqual([])
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0)
    if (SCREENS !== undefined)
      await page.screenshot({ path: `${SCREENS}/${name}-${colorScheme}.png`, fullPage: true })
  }
}

test('users see live prices, and the time of the last one if the exchange is silent', async () => {
  const dataDir = await makeDataDir()
  const env = { EXCHANGE_REST_URL: exchange.restUrl, EXCHANGE_WS_URL: exchange.wsUrl }
  const server = await start({ dataDir, env })
  expect(await labelOf(server)).toBe('Live prices from Kraken (USD), paper money')
  const context = await browser.newContext({
    ...PHONE,
    baseURL: server.url,
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Kolkata',
  })
  const data = { username: 'ada', password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' }
  await context.request.post('/api/auth/signup', {
    data,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('$60,000.00').waitFor()
  await page.getByText('Live prices from Kraken (USD), paper money').scrollIntoViewIfNeeded()
  await inspect(page, 'live')
  exchange.market.trade('BTC/USD', '61234.5')
  await page.getByText('$61,234.50').waitFor()

  expect(exchange.market.tooMany()).toBe(0)
  await exchange.close()
  const saying = page.getByText(/^Prices from (.+, )?\d\d:\d\d\. Bots wait for new ones\.$/)
  await saying.waitFor()
  const [said] = /\d\d:\d\d/.exec((await saying.textContent()) ?? '') ?? []
  const inKolkata = new Intl.DateTimeFormat('en-US', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'Asia/Kolkata',
  })
  const lately = [0, 1, 2].map((minutes) =>
    inKolkata.format(new Date(Date.now() - minutes * 60_000)),
  )
  expect(lately).toContain(said)
  await inspect(page, 'stale')
  await server.stop()

  const beganMs = performance.now()
  const again = await start({ dataDir, env: { ...env, MARKET_FEED: 'auto' } })
  console.log(`started again without the exchange in ${Math.round(performance.now() - beganMs)} ms`)
  expect(await labelOf(again)).toBe('Live prices from Kraken (USD), paper money')
  const health = (await (await fetch(`${again.url}/health`)).json()) as {
    stalePairs: string[]
    feedConnected: boolean
  }
  expect(health).toMatchObject({ feedConnected: false })
  expect(health.stalePairs).toHaveLength(12)
  const prices = (await (await fetch(`${again.url}/api/crypto/prices`)).json()) as Record<
    string,
    { price: string; stale: boolean }
  >
  expect(prices['BTC']).toMatchObject({ price: '61234.50000000', stale: true })
})
