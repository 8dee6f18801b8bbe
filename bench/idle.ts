import { setTimeout as delay } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import { launchBrowser } from '../test/browser/chromium.ts'
import { bytesOf, watchTraffic, type Traffic } from '../test/browser/traffic.ts'
import { makeDataDir, removeDataDir, startServer } from '../test/running-server.ts'
import { openPhone } from './phone.ts'
import { makeUser } from './user.ts'

/** The costs of an idle phone: ten minutes of Home on the simulated market at its default speed. BENCH_MINUTES shortens it. */

const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 10)
/** The opening of the page is not idle time. */
const SETTLE_MS = 5_000
/** In ten minutes. */
const MOST = { requests: 20, bytes: 600_000 }

export async function run(): Promise<void> {
  const dataDir = await makeDataDir()
  const [server, browser] = await Promise.all([startServer({ dataDir }), launchBrowser()])
  try {
    const { cookie } = await makeUser(server.url)
    const context = await openPhone(browser, { url: server.url, cookie })
    const page = await context.newPage()
    await page.goto('/')
    await delay(SETTLE_MS)
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    const traffic = await watchTraffic(session)
    const before = await mainThreadSeconds(session)
    await delay(MINUTES * 60_000)
    report(traffic, (await mainThreadSeconds(session)) - before)
  } finally {
    await browser.close()
    await server.stop()
    await removeDataDir(dataDir)
  }
}

async function mainThreadSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

function report(traffic: Traffic, seconds: number): void {
  const { calls } = traffic
  const bytes = bytesOf(traffic)
  const share = MINUTES / 10
  const missed = [
    ...(calls.length > MOST.requests * share ? [`more than ${MOST.requests * share} requests`] : []),
    ...(bytes > MOST.bytes * share ? [`more than ${(MOST.bytes * share) / 1_000} kB`] : []),
  ]
  for (const name of new Set(calls)) console.log(`${calls.filter((call) => call === name).length} × ${name}`)
  console.log(`${MINUTES} idle minutes on Home: ${calls.length} requests, ${(bytes / 1_000).toFixed(0)} kB received, ${seconds.toFixed(1)} s of the main thread`)
  console.log(`target: ${missed.length === 0 ? 'met' : `MISSED: ${missed.join(', ')}`}`)
}
