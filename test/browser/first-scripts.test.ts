import { brotliCompressSync } from 'node:zlib'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBuild, type OpenedBuild } from './served-builds.ts'

/**
 * Bytes of JavaScript, as brotli, that `/` may load before anybody uses it. A second language costs
 * readers of English 1.5 kB of them, and a visitor 0.6 kB more for the choice. The names of files
 * are hashes, whose compressed size varies by 0.1 kB. `document`: what ten packets hold beside a
 * kilobyte of headers. `bot`: the document of a bot with two coins, which takes an eleventh.
 */
const MOST_BYTES = {
  landing: 101_300,
  home: 100_100,
  emptyHome: 101_300,
  document: 13_600,
  bot: 16_000,
}

let opened: OpenedBuild
let context: BrowserContext

beforeAll(async () => {
  opened = await openBuild()
  // The worker fetches the rest of the app in the background.
  context = await opened.openPhone({ serviceWorkers: 'block' })
})

afterAll(() => opened.close())

/** Every script that `/` loads by itself, with its size as brotli. */
async function firstScripts(visitor = context): Promise<Record<string, number>> {
  const page = await visitor.newPage()
  // Long, because the first page of a server that has just started is slow on a busy machine.
  page.setDefaultNavigationTimeout(90_000)
  await page.addInitScript(() =>
    document.addEventListener('interactive', () => Object.assign(window, { isInteractive: true })),
  )
  await page.goto('/')
  // Waits until interactive, because scripts are loaded after the first paint; on a busy machine
  // the network may be idle before that.
  await page.waitForFunction(() => 'isInteractive' in window)
  await page.waitForLoadState('networkidle')
  const names = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((name) => name.endsWith('.js')),
  )
  await page.close()
  const scripts = await Promise.all(
    names.map(async (name) => [name, await (await context.request.get(name)).body()] as const),
  )
  // Without the store for offline use, which is loaded a second later.
  const first = scripts.filter(([, code]) => !code.includes('indexedDB.open'))
  return Object.fromEntries(first.map(([name, code]) => [name, brotliCompressSync(code).length]))
}

const sum = (sizes: Record<string, number>): number =>
  Object.values(sizes).reduce((total, size) => total + size, 0)

test('the landing page loads at most 101.3 kB of scripts', async () => {
  const sizes = await firstScripts()
  expect(Object.keys(sizes)).toContainEqual(expect.stringContaining('/landing-screen-'))
  expect(sum(sizes), `${JSON.stringify(sizes)}`).toBeLessThanOrEqual(MOST_BYTES.landing)
})

async function homeScripts(amount?: string): Promise<Record<string, number>> {
  const user = await opened.served.world.user()
  if (amount) await user.deposit(amount)
  const visitor = await opened.openPhone({ serviceWorkers: 'block' })
  const [name = '', value = ''] = user.cookie.split('=')
  await visitor.addCookies([{ name, value, url: opened.served.url }])
  const sizes = await firstScripts(visitor)
  await visitor.close()
  expect(Object.keys(sizes)).toContainEqual(expect.stringContaining('/home-screen-'))
  return sizes
}

test('home loads at most 100 kB of scripts', async () => {
  const sizes = await homeScripts('500')
  expect(sum(sizes), `${JSON.stringify(sizes)}`).toBeLessThanOrEqual(MOST_BYTES.home)
})

test('an empty home, which has one more picture, loads at most 101.3 kB', async () => {
  const sizes = await homeScripts()
  expect(sum(sizes), `${JSON.stringify(sizes)}`).toBeLessThanOrEqual(MOST_BYTES.emptyHome)
})

test('documents of the landing page, a coin and home fit into ten packets', async () => {
  const { world, url } = opened.served
  const user = await world.user()
  await user.deposit('500')
  const bot = { riskLevel: 'moderate', tradingPairs: ['BTC/USDT', 'SOL/USDT'] } as const
  const body = { ...bot, name: 'Steady', investmentAmount: '250' }
  const { id } = await user.call('createBot', { body })
  await world.hours(2)
  const bytesOf = async (path: string, cookie = '') => {
    const headers = { cookie, 'accept-encoding': 'br', 'user-agent': 'Mobile' }
    const { headers: sent } = await fetch(url + path, { headers })
    expect(sent.get('content-encoding')).toBe('br')
    return Number(sent.get('content-length'))
  }
  expect(await bytesOf('/')).toBeLessThan(MOST_BYTES.document)
  expect(await bytesOf('/', user.cookie)).toBeLessThan(MOST_BYTES.document)
  expect(await bytesOf('/market/BTC-USD', user.cookie)).toBeLessThan(MOST_BYTES.document)
  await world.hours(200)
  for (const path of ['/', '/market/BTC-USD'])
    expect(await bytesOf(path, user.cookie), `${path} later`).toBeLessThan(MOST_BYTES.document)
  expect(await bytesOf(`/bot-config/${id}`, user.cookie)).toBeLessThan(MOST_BYTES.bot)
})

test('readers of English load neither words of another language nor their library', async () => {
  const visitor = await opened.openPhone({ serviceWorkers: 'block' })
  const english = Object.keys(await firstScripts(visitor))
  expect(english.filter((name) => name.includes('/german-'))).toEqual([])
  const texts = await Promise.all(
    english.map(async (name) => (await context.request.get(name)).text()),
  )
  expect(texts.filter((text) => text.includes('MISSING_VALUE'))).toEqual([])
  const [, german = ''] = /\b(german-[\w-]+\.js)/.exec(texts.join('')) ?? []
  const words = await (await context.request.get(`/assets/${german}`)).text()
  expect(words).toContain('MISSING_VALUE')
  expect(words, 'without its parser').not.toContain('EXPECT_ARGUMENT_CLOSING_BRACE')
  await visitor.close()
})
