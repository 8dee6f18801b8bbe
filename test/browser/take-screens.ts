import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { preferredLanguage } from '#words/language.ts'
import { signUp, type Client } from '../faults/client.ts'
import {
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { noteInteractive } from '../spec/product.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { inGerman } from './in-german.ts'
import { seeKeys, seeMessages, seeNewKey, seeNewSecret } from './program-states.ts'

/**
 * Takes pictures of every screen on a phone, a tablet and a desk, light and dark, for a user whose
 * bots have traded for a while on the simulated market: into `test/output/screens`, and the eight
 * of the README into `docs/screens`. Run by `npm run screens`; names of shots, such as `npm run
 * screens -- home bot`, take only these. `SCREENS_LANGUAGE=de npm run screens` takes them in
 * German, into `test/output/screens-de`.
 */

const locale = preferredLanguage(process.env['SCREENS_LANGUAGE'], [])
const isEnglish = locale === 'en'
const FOLDER = resolve(import.meta.dirname, `../output/screens${isEnglish ? '' : `-${locale}`}`)
const README_FOLDER = resolve(import.meta.dirname, '../../docs/screens')
const IN_README = [
  'landing-phone-light',
  'home-phone-dark',
  'bot-phone-light',
  'receipt-phone-light',
  'home-desk-light',
  'bots-desk-dark',
  'history-desk-light',
  'coin-desk-dark',
]

const SIZES = {
  phone: PHONE,
  tablet: { viewport: { width: 768, height: 1024 } },
  desk: { viewport: { width: 1280, height: 800 } },
} as const

/** Four market hours per second: a week of trades while the empty screens are captured. */
const MARKET_SPEED = '14400'
const WORK_MS = 45_000

type Shot = {
  name: string
  path: string
  shows: string | RegExp
  act?: (page: Page) => Promise<void>
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click()

const openDoor = (name: string) => async (page: Page) => {
  await page.getByText(name, { exact: true }).first().click()
}

const SIGNED_OUT: readonly Shot[] = [
  { name: 'landing', path: '/', shows: 'Start Trading Now' },
  { name: 'login', path: '/login', shows: 'Sign In' },
  { name: 'signup', path: '/signup', shows: 'Create Account' },
  { name: 'evidence', path: '/evidence', shows: 'If you had invested for 12 months' },
  { name: 'forecasts', path: '/forecasts', shows: 'Happened' },
  { name: 'record-visitor', path: '/track-record', shows: 'How to read it' },
  { name: 'not-found', path: '/nowhere', shows: '404 Page Not Found' },
]

const EMPTY: readonly Shot[] = [
  { name: 'home-empty', path: '/', shows: 'No active bots' },
  { name: 'bots-empty', path: '/bot-config', shows: 'No bots yet' },
  { name: 'history-empty', path: '/history', shows: 'No transactions yet' },
]

const AT_WORK: readonly Shot[] = [
  { name: 'home', path: '/', shows: 'Active Trading Bots' },
  { name: 'week', path: '/week', shows: 'Beside holding' },
  { name: 'bots', path: '/bot-config', shows: 'Your Trading Bots' },
  { name: 'new-bot', path: '/bot-config/new', shows: 'Hypothetical, any past 12 months' },
  { name: 'new-bot-coins', path: '/bot-config/new', shows: 'ADA/USDT', act: openDoor('Choose') },
  {
    name: 'new-bot-more',
    path: '/bot-config/new',
    shows: /^Largest drop/,
    act: openDoor('Guards, plan, fee'),
  },
  {
    name: 'bot',
    path: '/bot-config',
    shows: 'Breakdown',
    act: (page) => page.getByRole('link', { name: 'Steady' }).click(),
  },
  { name: 'coin', path: '/market/BTC-USD', shows: 'What bots do now' },
  { name: 'compare', path: '/bot-config', shows: 'Largest drop', act: compare },
  { name: 'add-money', path: '/bot-config', shows: 'Invested afterwards', act: addMoney },
  { name: 'take-out', path: '/bot-config', shows: 'To your balance (approx.)', act: takeOut },
  { name: 'deposit', path: '/deposit', shows: 'Choose Amount' },
  { name: 'deposit-card', path: '/deposit', shows: 'Card number', act: payByCard },
  { name: 'withdraw', path: '/withdraw', shows: 'Request Withdrawal', act: press('50%') },
  { name: 'history', path: '/history', shows: 'Newest first' },
  { name: 'statement', path: '/statement', shows: 'Realized results by coin' },
  { name: 'statement-files', path: '/statement', shows: 'Format', act: seeEnd },
  { name: 'keys-empty', path: '/profile/security', shows: 'Make a key', act: seeEnd },
  {
    name: 'keys',
    path: '/profile/security',
    shows: 'Daily script',
    act: (page) => seeKeys(page).then(() => seeEnd(page)),
  },
  { name: 'key-form', path: '/profile/security', shows: 'The key may', act: press('Make a key') },
  { name: 'key-made', path: '/profile/security', shows: /^tbk_/, act: seeNewKey },
  { name: 'webhooks-empty', path: '/notice-settings', shows: 'Add a webhook', act: seeEnd },
  {
    name: 'webhooks',
    path: '/notice-settings',
    shows: /given up|aufgegeben/,
    act: (page) => seeMessages(page).then(() => seeEnd(page)),
  },
  { name: 'webhook-form', path: '/notice-settings', shows: 'Topics', act: press('Add a webhook') },
  { name: 'webhook-made', path: '/notice-settings', shows: /^whsec_/, act: seeNewSecret },
  {
    name: 'receipt',
    path: '/history',
    shows: 'Exact figures and ledger lines',
    act: press(/Bought|Sold|Card deposit/),
  },
  { name: 'help', path: '/help', shows: /15/, act: ask },
  { name: 'record', path: '/track-record', shows: 'How to read it', act: openPairs },
  { name: 'profile', path: '/profile', shows: 'Appearance' },
]

/** Waits for what is loaded late, then shows the end of the page. */
async function seeEnd(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
}

async function openPairs(page: Page): Promise<void> {
  await page.getByText('12 pairs').first().click()
}

async function payByCard(page: Page): Promise<void> {
  await press('$500')(page)
  await press('Continue')(page)
}

async function compare(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Steady' }).click()
  await page.getByRole('link', { name: 'Compare' }).click()
}

async function addMoney(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Steady' }).click()
  await press(/^Add money/)(page)
  await page.getByLabel('Amount to add').fill('250')
  await press('Review')(page)
}

async function takeOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Steady' }).click()
  await press(/^Take money out/)(page)
}

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox').fill(isEnglish ? 'What does a bot cost?' : 'Was kostet ein Bot?')
  await page.keyboard.press('Enter')
}

const wanted = process.argv.slice(2)

async function take(page: Page, size: keyof typeof SIZES, shots: readonly Shot[]): Promise<void> {
  // The first visit uses a system font, so the screenshots are of the second.
  await page.goto('/help')
  await page.waitForFunction(() => document.cookie.includes('font='))
  for (const { name, path, shows, act } of shots.filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name),
  )) {
    await page.goto(path)
    await act?.(page)
    await page.getByText(shows).filter({ visible: true }).first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
    for (const colorScheme of ['light', 'dark'] as const) {
      const picture = `${name}-${size}-${colorScheme}`
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(FOLDER, `${picture}.png`) })
      if (isEnglish && IN_README.includes(picture))
        await copyFile(join(FOLDER, `${picture}.png`), join(README_FOLDER, `${picture}.png`))
    }
  }
}

async function putToWork(user: Client): Promise<void> {
  await user.deposit('2500')
  await user.addBankAccount()
  const bots = [
    {
      name: 'Steady',
      riskLevel: 'conservative',
      tradingPairs: ['BTC/USDT', 'ETH/USDT'],
      investmentAmount: '900',
    },
    {
      name: 'Wide',
      riskLevel: 'aggressive',
      tradingPairs: ['SOL/USDT', 'AVAX/USDT', 'LINK/USDT'],
      investmentAmount: '600',
    },
  ]
  for (const body of bots) await user.call('createBot', { body, key: body.name })
}

async function takeAll(server: RunningServer): Promise<void> {
  const browser = await launchBrowser()
  try {
    const takeAs = async (shots: readonly Shot[], cookie = '') => {
      const [name = '', value = ''] = cookie.split('=')
      for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[]) {
        const context = await browser.newContext({
          ...SIZES[size],
          baseURL: server.url,
          locale,
          reducedMotion: 'reduce',
        })
        await noteInteractive(context)
        if (cookie !== '') await context.addCookies([{ name, value, url: server.url }])
        const page = await context.newPage()
        await take(isEnglish ? page : inGerman(page), size, shots)
        await context.close()
      }
    }
    const [ada, newcomer] = await Promise.all([
      signUp(server.url, 'ada'),
      signUp(server.url, 'newcomer'),
    ])
    await putToWork(ada)
    await Promise.all([
      delay(WORK_MS),
      takeAs(SIGNED_OUT).then(() => takeAs(EMPTY, newcomer.cookie)),
    ])
    await takeAs(AT_WORK, ada.cookie)
  } finally {
    await browser.close()
  }
}

const folders = isEnglish ? [FOLDER, README_FOLDER] : [FOLDER]
if (wanted.length === 0)
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true })))
const dataDir = await makeDataDir()
const server = await startServer({ dataDir, env: { MARKET_FEED: 'simulated', MARKET_SPEED } })
try {
  await takeAll(server)
} finally {
  await server.stop()
  await removeDataDir(dataDir)
}
