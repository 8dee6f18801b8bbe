import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { routes } from '#contract/routes.ts'
import { launchBrowser, PHONE } from '../test/browser/chromium.ts'
import { makeDataDir, removeDataDir, startServer } from '../test/process/running-server.ts'
import { median, report } from './report.ts'

/**
 * A newcomer's first minute on fresh installations, each with a simulated market of its own seed:
 * from the landing page to a bot by one press, then until its first trade. BENCH_INSTALLS sets
 * their number.
 */

const INSTALLS = Number(process.env['BENCH_INSTALLS'] ?? 100)
const AT_ONCE = 4
const MINUTE_MS = 60_000
const POLL_MS = 250
const MIN_SHARE = 0.8
const MAX_TAPS = 7

/** `toTradeMs`: from the press that creates the bot; undefined without a trade within a minute. */
type Visit = { taps: number; keystrokes: number; toBotMs: number; toTradeMs: number | undefined }

export async function run(): Promise<void> {
  const browser = await launchBrowser()
  const seeds = Array.from({ length: INSTALLS }, (_, index) => index + 1)
  const visits: Visit[] = []
  try {
    const worker = async () => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop())
        visits.push(await install({ browser, seed }))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  } finally {
    await browser.close()
  }
  const taps = median(visits.map((visit) => visit.taps))
  const trades = visits.flatMap(({ toTradeMs }) => toTradeMs ?? [])
  const share = trades.length / visits.length
  report({
    name: `first minute, ${visits.length} installations, landing page to bot`,
    measured: `${taps} taps, ${median(visits.map(({ keystrokes }) => keystrokes))} keystrokes`,
    target: { text: `≤ ${MAX_TAPS} taps`, met: taps <= MAX_TAPS },
  })
  report({
    name: 'first minute, a trade within 60 s of the press',
    measured: `${trades.length} of ${visits.length}, median after ${wholeSeconds(median(trades))}`,
    target: { text: `≥ ${MIN_SHARE * 100} %`, met: share >= MIN_SHARE },
  })
}

const wholeSeconds = (ms: number): string => `${Math.round(ms / 1_000)} s`

async function install({ browser, seed }: { browser: Browser; seed: number }): Promise<Visit> {
  const dataDir = await makeDataDir()
  const server = await startServer({ dataDir, env: { MARKET_SEED: String(seed) } })
  const context = await browser.newContext(PHONE)
  try {
    return await visit(await context.newPage(), server.url)
  } finally {
    await context.close()
    await server.stop()
    await removeDataDir(dataDir)
  }
}

async function visit(page: Page, url: string): Promise<Visit> {
  let taps = 0
  let keystrokes = 0
  const tap = async (role: 'link' | 'button' | 'textbox', name: string) => {
    await page.getByRole(role, { name, exact: true }).first().tap({ timeout: MINUTE_MS })
    taps += 1
  }
  const type = async (text: string) => {
    await page.keyboard.type(text)
    keystrokes += text.length
  }
  await page.goto(url)
  await tap('link', 'Start Trading Now')
  await page.getByRole('button', { name: 'Create Account' }).waitFor()
  await tap('textbox', 'Username')
  await type('ada-lee')
  await tap('textbox', 'Password')
  await type('first-minute')
  await tap('textbox', 'First name')
  await type('Ada')
  await tap('textbox', 'Last name')
  await type('Lee')
  await tap('button', 'Create Account')
  await page.getByRole('button', { name: 'Start with $500 paper money' }).waitFor()
  const pressedMs = performance.now()
  await tap('button', 'Start with $500 paper money')
  await page.getByRole('region', { name: 'What it does now' }).waitFor()
  const toBotMs = performance.now() - pressedMs
  return { taps, keystrokes, toBotMs, toTradeMs: await firstTrade(page, pressedMs) }
}

/** Milliseconds from `pressedMs` to the bot's first trade; undefined if a minute passes. */
async function firstTrade(page: Page, pressedMs: number): Promise<number | undefined> {
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const address = new URL(routes.listBotTrades.path.replace(':id', id), page.url()).href
  while (performance.now() - pressedMs < MINUTE_MS) {
    const response = await page.request.get(address)
    const { count } = (await response.json()) as { count: number }
    if (count > 0) return performance.now() - pressedMs
    await delay(POLL_MS)
  }
  return undefined
}
