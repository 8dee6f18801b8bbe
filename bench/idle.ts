import { setTimeout as delay } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import { launchBrowser, PHONE } from '../test/browser/chromium.ts'
import { makeDataDir, removeDataDir, startServer } from '../test/running-server.ts'
import { makeUser } from './user.ts'

/** The costs of an idle phone: ten minutes of Home on the simulated market at its default speed. BENCH_MINUTES shortens it. */

const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 10)
/** The opening of the page is not idle time. */
const SETTLE_MS = 5_000
/** In ten minutes. */
const MOST = { requests: 40, bytes: 700_000 }

export async function run(): Promise<void> {
  const dataDir = await makeDataDir()
  const [server, browser] = await Promise.all([startServer({ dataDir }), launchBrowser()])
  try {
    const { cookie } = await makeUser(server.url)
    const [name = '', value = ''] = cookie.split('=')
    const context = await browser.newContext({ ...PHONE, baseURL: server.url, serviceWorkers: 'block' })
    await context.addCookies([{ name, value, url: server.url }])
    const page = await context.newPage()
    await page.goto('/')
    await delay(SETTLE_MS)
    const session = await context.newCDPSession(page)
    const traffic = await watch(session)
    const before = await mainThreadSeconds(session)
    await delay(MINUTES * 60_000)
    report({ ...traffic, seconds: (await mainThreadSeconds(session)) - before })
  } finally {
    await browser.close()
    await server.stop()
    await removeDataDir(dataDir)
  }
}

type Traffic = { calls: Map<string, number>; bytes: { count: number } }

/** From now on. The stream is open already: its data belongs to no request seen. */
async function watch(session: CDPSession): Promise<Traffic> {
  const traffic: Traffic = { calls: new Map(), bytes: { count: 0 } }
  await session.send('Performance.enable')
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ request }) => {
    const { pathname } = new URL(request.url)
    traffic.calls.set(pathname, (traffic.calls.get(pathname) ?? 0) + 1)
  })
  session.on('Network.dataReceived', ({ dataLength, encodedDataLength }) => (traffic.bytes.count += encodedDataLength || dataLength))
  session.on('Network.responseReceivedExtraInfo', ({ headersText, headers }) => (traffic.bytes.count += (headersText ?? JSON.stringify(headers)).length))
  return traffic
}

async function mainThreadSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

function report({ calls, bytes: { count }, seconds }: Traffic & { seconds: number }): void {
  const requests = [...calls.values()].reduce((sum, one) => sum + one, 0)
  const share = MINUTES / 10
  const missed = [
    ...(requests > MOST.requests * share ? [`more than ${MOST.requests * share} requests`] : []),
    ...(count > MOST.bytes * share ? [`more than ${(MOST.bytes * share) / 1_000} kB`] : []),
  ]
  for (const [path, times] of calls) console.log(`${times} × ${path}`)
  console.log(`${MINUTES} idle minutes on Home: ${requests} requests, ${(count / 1_000).toFixed(0)} kB received, ${seconds.toFixed(1)} s of the main thread`)
  console.log(`target: ${missed.length === 0 ? 'met' : `MISSED: ${missed.join(', ')}`}`)
}
