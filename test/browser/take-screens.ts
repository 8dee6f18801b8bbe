import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { signUp, type Client } from '../faults/client.ts'
import { makeDataDir, removeDataDir, startServer, type RunningServer } from '../running-server.ts'
import { launchBrowser, PHONE } from './chromium.ts'

/**
 * Takes the screenshots in `docs/screens/`: every screen in light and dark at phone size, for a user whose bots have traded for a while
 * on the simulated market. Run by `npm run screens`.
 */

const FOLDER = resolve(import.meta.dirname, '../../docs/screens')

/** Four market hours per second: a week of trades while the empty screens are captured. */
const MARKET_SPEED = '14400'
const WORK_MS = 45_000

type Shot = { name: string; path: string; shows: string | RegExp; act?: (page: Page) => Promise<void> }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const SIGNED_OUT: readonly Shot[] = [
  { name: 'landing', path: '/', shows: 'Start Trading Now' },
  { name: 'login', path: '/login', shows: 'Sign In' },
  { name: 'signup', path: '/signup', shows: 'Create Account' },
  { name: 'evidence', path: '/evidence', shows: /no evidence|no market evidence/i },
  { name: 'not-found', path: '/nowhere', shows: '404 Page Not Found' },
]

const EMPTY: readonly Shot[] = [
  { name: 'home-empty', path: '/', shows: 'No active bots' },
  { name: 'bots-empty', path: '/bot-config', shows: 'No bots yet' },
  { name: 'history-empty', path: '/history', shows: 'No transactions yet' },
]

const AT_WORK: readonly Shot[] = [
  { name: 'home', path: '/', shows: 'Active Trading Bots' },
  { name: 'bots', path: '/bot-config', shows: 'Your Trading Bots' },
  { name: 'bot', path: '/bot-config', shows: 'Breakdown', act: (page) => page.getByRole('link', { name: /Steady/ }).click() },
  { name: 'coin', path: '/market/BTC-USD', shows: 'What bots do now' },
  { name: 'compare', path: '/bot-config', shows: 'Deepest fall', act: compare },
  { name: 'add-money', path: '/bot-config', shows: 'Invested afterwards', act: addMoney },
  { name: 'take-out', path: '/bot-config', shows: 'Your balance gets about', act: takeOut },
  { name: 'deposit', path: '/deposit', shows: 'Choose Amount' },
  { name: 'deposit-card', path: '/deposit', shows: 'Card number', act: payByCard },
  { name: 'withdraw', path: '/withdraw', shows: 'Request Withdrawal', act: press('50%') },
  { name: 'history', path: '/history', shows: 'Newest first' },
  { name: 'receipt', path: '/history', shows: /Ledger lines|Change number/, act: press(/Bought|Sold|Card deposit/) },
  { name: 'help', path: '/help', shows: /15/, act: ask },
  { name: 'profile', path: '/profile', shows: 'Appearance' },
]

async function payByCard(page: Page): Promise<void> {
  await press('$500')(page)
  await press('Continue')(page)
}

async function compare(page: Page): Promise<void> {
  await page.getByRole('link', { name: /Steady/ }).click()
  await page.getByRole('link', { name: 'Compare' }).click()
}

async function addMoney(page: Page): Promise<void> {
  await page.getByRole('link', { name: /Steady/ }).click()
  await press(/^Add money/)(page)
  await page.getByLabel('Amount to add').fill('250')
  await press('Review')(page)
}

async function takeOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: /Steady/ }).click()
  await press(/^Take money out/)(page)
}

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox').fill('What does a bot cost?')
  await page.keyboard.press('Enter')
}

async function take(context: BrowserContext, shots: readonly Shot[]): Promise<void> {
  const page = await context.newPage()
  // The first visit uses a system font, so the screenshots are of the second.
  await page.goto('/help')
  await page.waitForFunction(() => document.cookie.includes('font='))
  for (const { name, path, shows, act } of shots) {
    await page.goto(path)
    await act?.(page)
    await page.getByText(shows).first().waitFor()
    await page.waitForLoadState('networkidle').catch(() => undefined)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}.png` })
    }
  }
  await page.close()
}

async function putToWork(user: Client): Promise<void> {
  await user.deposit('2500')
  await user.addBankAccount()
  const bots = [
    { name: 'Steady', riskLevel: 'conservative', tradingPairs: ['BTC/USDT', 'ETH/USDT'], investmentAmount: '900' },
    { name: 'Wide', riskLevel: 'aggressive', tradingPairs: ['SOL/USDT', 'AVAX/USDT', 'LINK/USDT'], investmentAmount: '600' },
  ]
  for (const body of bots) await user.call('createBot', { body, key: body.name })
}

async function takeAll(server: RunningServer): Promise<void> {
  const browser = await launchBrowser()
  try {
    const open = async (cookie?: string) => {
      const context = await browser.newContext({ ...PHONE, baseURL: server.url, reducedMotion: 'reduce' })
      const [name = '', value = ''] = cookie?.split('=') ?? []
      if (cookie !== undefined) await context.addCookies([{ name, value, url: server.url }])
      return context
    }
    const [ada, newcomer] = await Promise.all([signUp(server.url, 'ada'), signUp(server.url, 'newcomer')])
    await putToWork(ada)
    await Promise.all([delay(WORK_MS), take(await open(), SIGNED_OUT).then(async () => take(await open(newcomer.cookie), EMPTY))])
    await take(await open(ada.cookie), AT_WORK)
  } finally {
    await browser.close()
  }
}

await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
const dataDir = await makeDataDir()
const server = await startServer({ dataDir, env: { MARKET_FEED: 'simulated', MARKET_SPEED } })
try {
  await takeAll(server)
} finally {
  await server.stop()
  await removeDataDir(dataDir)
}
