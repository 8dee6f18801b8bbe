import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { LANGUAGES } from '#words/language.ts'
import { launchBrowser, PHONE } from '../test/browser/chromium.ts'
import { makeDataDir, removeDataDir, startServer } from '../test/process/running-server.ts'
import { TEST_CARD } from '../test/world/world.ts'

/**
 * Takes the screenshots that a browser shows before it installs the app, and the landing page's
 * picture in each language, into public/screenshots: `npx node scripts/take-app-screenshots.ts
 * [NAME…]`, with names such as `landing-de`.
 */
const FOLDER = join(import.meta.dirname, '../public/screenshots')
const DESKTOP = { viewport: { width: 1280, height: 800 } } as const

type Shot = { width: number; height: number; scale: number; quality: number }
const NARROW: Shot = { ...PHONE.viewport, scale: PHONE.deviceScaleFactor, quality: 82 }
const WIDE: Shot = { ...DESKTOP.viewport, scale: 1, quality: 82 }
/**
 * The upper part of a phone, 560 pixels wide: twice its size on the landing page. Its quality keeps
 * it below 30 kB.
 */
const ON_LANDING: Shot = { width: 390, height: 724, scale: 560 / 390, quality: 60 }

/** A reproducible market, fast enough that the balance has a curve. */
const ENV = { MARKET_FEED: 'simulated', MARKET_SPEED: '36000', MARKET_SEED: '3', LOG_LEVEL: 'warn' }
const MARKET_TIME_MS = 45_000

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

async function take(): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const dataDir = await makeDataDir()
  const [server, browser] = await Promise.all([startServer({ dataDir, env: ENV }), launchBrowser()])
  try {
    const { cookies, botId } = await moveIn(browser, server.url)
    const open = async (
      options: BrowserContextOptions,
      { path, shown }: { path: string; shown: RegExp },
    ) => {
      const context = await browser.newContext({
        ...options,
        baseURL: server.url,
        colorScheme: 'light',
        reducedMotion: 'reduce',
      })
      await context.addCookies(cookies)
      const page = await context.newPage()
      // The first visit uses a system font, so the screenshots are of the second.
      await page.goto('/help')
      await page.waitForFunction(() => document.cookie.includes('font='))
      await page.goto(path)
      await page.getByText(shown).first().waitFor()
      return page
    }
    const home = { path: '/', shown: /market time/ }
    if (isWanted('home-narrow')) await save(await open(PHONE, home), 'home-narrow', NARROW)
    if (isWanted('bot-narrow'))
      await save(
        await open(PHONE, { path: `/bot-config/${botId}`, shown: /Buy and hold/ }),
        'bot-narrow',
        NARROW,
      )
    if (isWanted('home-wide')) await save(await open(DESKTOP, home), 'home-wide', WIDE)
    for (const locale of LANGUAGES) {
      const name = locale === 'en' ? 'landing' : `landing-${locale}`
      if (isWanted(name))
        await saveForLanding(await open({ ...PHONE, locale }, { path: '/', shown: /Ada/ }), name)
    }
  } finally {
    await browser.close()
    await server.stop()
    await removeDataDir(dataDir)
  }
}

async function moveIn(browser: Browser, url: string) {
  const context = await browser.newContext({ baseURL: url })
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(path, {
      data,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, string>
  }
  await post('/api/auth/signup', {
    username: 'ada',
    password: 'a long password',
    firstName: 'Ada',
    lastName: 'Lovelace',
  })
  const { clientSecret, paymentIntentId } = await post('/api/create-payment-intent', {
    amount: '5000',
  })
  await post('/api/sandbox/card-payments', { clientSecret, ...TEST_CARD })
  await post('/api/confirm-deposit', { paymentIntentId, amount: '5000' })
  const bots = [
    {
      name: 'Majors, calm',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT', 'ETH/USDT'],
      investmentAmount: '2500',
    },
    {
      name: 'Alt trend',
      riskLevel: 'aggressive',
      tradingPairs: ['SOL/USDT', 'AVAX/USDT', 'LINK/USDT'],
      investmentAmount: '1500',
    },
  ]
  const made = []
  for (const bot of bots) made.push(await post('/api/trading-bots', bot))
  await new Promise((resolve) => setTimeout(resolve, MARKET_TIME_MS))
  return { cookies: await context.cookies(), botId: made[0]?.['id'] ?? '' }
}

/** Captures the same account in both themes, right after each other. */
async function saveForLanding(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await capture(page, `${name}-${colorScheme}`, ON_LANDING)
  }
  await page.context().close()
}

async function save(page: Page, name: string, shot: Shot): Promise<void> {
  await capture(page, name, shot)
  await page.context().close()
}

/** Saves WebP, which Playwright's own screenshots do not support. */
async function capture(
  page: Page,
  name: string,
  { width, height, scale, quality }: Shot,
): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  const session = await page.context().newCDPSession(page)
  const clip = { x: 0, y: 0, width, height, scale }
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip })
  await writeFile(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'))
}

await take()
