import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, CDPSession } from 'playwright-core'
import { launchBrowser } from '../test/browser/chromium.ts'
import { bytesOf, watchTraffic, type Traffic } from '../test/browser/traffic.ts'
import { makeDataDir, removeDataDir, startServer } from '../test/running-server.ts'
import { openPhone } from './phone.ts'
import { makeUser } from './user.ts'

/**
 * The costs of pages that are left open: ten minutes of Home, the list of bots, a coin's page and a
 * bot's page on the simulated market at its default speed, on which the bot trades all the time.
 * BENCH_MINUTES shortens it.
 */

const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 10)
/** The opening of the page is not idle time. */
const SETTLE_MS = 5_000
/**
 * In ten minutes. The bytes are those of Home alone: of the stream they are its text, since
 * Chromium does not report what it receives compressed.
 */
const MOST = { requests: 20, bytes: 600_000 }

/** At a desk, the list of bots stands beside a bot. */
const DESK = { viewport: { width: 1_280, height: 800 }, isMobile: false, hasTouch: false }

type Left = { name: string; traffic: Traffic; mainThread: () => Promise<number> }

export async function run(): Promise<void> {
  const dataDir = await makeDataDir()
  const [server, browser] = await Promise.all([startServer({ dataDir }), launchBrowser()])
  try {
    const { cookie, botId } = await makeUser(server.url)
    const pages = [
      { name: 'Home', path: '/', isDesk: false },
      { name: 'the list of bots', path: '/bot-config', isDesk: false },
      { name: "a bot's page", path: `/bot-config/${botId}`, isDesk: false },
      { name: "a coin's page", path: '/market/BTC-USD', isDesk: false },
      { name: "a bot's page at a desk", path: `/bot-config/${botId}`, isDesk: true },
    ]
    const left: Left[] = []
    for (const page of pages)
      left.push(await leaveOpen(browser, { ...page, url: server.url, cookie }))
    await delay(MINUTES * 60_000)
    for (const page of left) await report(page)
  } finally {
    await browser.close()
    await server.stop()
    await removeDataDir(dataDir)
  }
}

type Opening = { name: string; path: string; isDesk: boolean; url: string; cookie: string }

async function leaveOpen(
  browser: Browser,
  { name, path, isDesk, url, cookie }: Opening,
): Promise<Left> {
  const context = await openPhone(browser, { url, cookie }, isDesk ? DESK : {})
  const page = await context.newPage()
  await page.goto(path)
  await delay(SETTLE_MS)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const traffic = await watchTraffic(session)
  const before = await mainThreadSeconds(session)
  return { name, traffic, mainThread: async () => (await mainThreadSeconds(session)) - before }
}

async function mainThreadSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

async function report({ name, traffic, mainThread }: Left): Promise<void> {
  const { calls } = traffic
  const bytes = bytesOf(traffic)
  const share = MINUTES / 10
  const missed = [
    ...(calls.length > MOST.requests * share
      ? [`more than ${MOST.requests * share} requests`]
      : []),
    ...(name === 'Home' && bytes > MOST.bytes * share
      ? [`more than ${(MOST.bytes * share) / 1_000} kB`]
      : []),
  ]
  for (const call of new Set(calls))
    console.log(`  ${calls.filter((other) => other === call).length} × ${call}`)
  console.log(
    `${MINUTES} idle minutes of ${name}: ${calls.length} requests, ` +
      `${(bytes / 1_000).toFixed(0)} kB received, ${(await mainThread()).toFixed(1)} s of the ` +
      `main thread, ${traffic.events} events`,
  )
  console.log(`target: ${missed.length === 0 ? 'met' : `MISSED: ${missed.join(', ')}`}`)
}
