import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../test/browser/chromium.ts'
import {
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../test/running-server.ts'
import { interactionMs, signMs, tap, watchInteractions, watchSign } from './interactions.ts'
import { openPhone } from './phone.ts'
import { median, milliseconds, percentile, report } from './report.ts'
import { makeUser } from './user.ts'

/**
 * The app under a finger, on a processor slowed down six times: the time from an input to the next
 * paint on Home, in the form for a new bot and between tabs, and of a press before the app is
 * alive. Then Home at full speed while trades arrive: growth of the heap, layout shift.
 * BENCH_ROUNDS sets how often everything is pressed, BENCH_MINUTES how long Home is watched.
 */

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 10)
const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 30)
const SLOWDOWN = 6
/** The first minutes fill caches and compile code. */
const WARM_UP_MINUTES = Math.min(2, MINUTES / 4)
const MOST = { interaction: 100, tab: 150, sign: 100, heapPercent: 5, shift: 0.01 }

export async function run(): Promise<void> {
  const dataDir = await makeDataDir()
  const [server, browser] = await Promise.all([startServer({ dataDir }), launchBrowser()])
  try {
    const { cookie } = await makeUser(server.url)
    const phone = () => openPhone(browser, { url: server.url, cookie })
    await reportInteractions('Home', {
      open: phone,
      path: '/',
      round: pressHome,
      most: MOST.interaction,
    })
    await reportInteractions('a new bot', {
      open: phone,
      path: '/bot-config/new',
      round: fillNewBot,
      most: MOST.interaction,
    })
    await reportInteractions('between tabs', {
      open: phone,
      path: '/',
      round: changeTabs,
      most: MOST.tab,
    })
    await reportSign(phone)
    await reportLongStay(phone, server)
  } finally {
    await browser.close()
    await server.stop()
    await removeDataDir(dataDir)
  }
}

/** Milliseconds of the interactions by name. */
type Times = Map<string, number[]>
type Measure = (name: string, act: () => Promise<void>) => Promise<void>
type Round = (page: Page, measure: Measure) => Promise<void>
type Interactions = {
  open: () => Promise<BrowserContext>
  path: string
  round: Round
  most: number
}

async function reportInteractions(
  where: string,
  { open, path, round, most }: Interactions,
): Promise<void> {
  const context = await open()
  const page = await context.newPage()
  await watchInteractions(page)
  const times: Times = new Map()
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await slowDown(page)
  for (let count = 0; count < ROUNDS; count += 1) {
    await round(
      page,
      async (name, act) =>
        void times.set(name, [...(times.get(name) ?? []), await interactionMs(page, act)]),
    )
  }
  await context.close()
  const all = [...times.values()].flat()
  const p75 = percentile(all, 0.75)
  for (const [name, some] of times)
    console.log(
      `  ${name}: median ${milliseconds(median(some))}, longest ${milliseconds(Math.max(...some))}`,
    )
  report({
    name: `${where}, ${all.length} interactions at ${SLOWDOWN} × slowdown, p75 to the next paint`,
    measured: milliseconds(p75),
    ratio: `longest ${milliseconds(Math.max(...all))}`,
    target: { text: `≤ ${most} ms`, met: p75 <= most },
  })
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function pressHome(page: Page, measure: Measure): Promise<void> {
  await measure('open the balance breakdown', () => tap(page, button(page, 'Balance breakdown')))
  await page.getByRole('dialog', { name: 'Balance breakdown' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  for (const name of ['Hide balance', 'Show balance'])
    await measure(name.toLowerCase(), () => tap(page, button(page, name)))
  for (const name of ['1D', 'All'])
    await measure('switch the range', () => tap(page, page.getByRole('tab', { name, exact: true })))
  await measure('open a coin', () =>
    tap(page, page.getByRole('link', { name: 'Bitcoin', exact: true })),
  )
  await page.waitForURL('**/market/**')
  await page.goBack()
}

async function fillNewBot(page: Page, measure: Measure): Promise<void> {
  for (const level of ['Conservative', 'Aggressive'])
    await measure('choose a level', () => tap(page, page.getByText(level, { exact: true })))
  await measure('go on', () => tap(page, button(page, 'Continue')))
  for (const pair of ['SOL/USDT', 'ADA/USDT'])
    await measure('choose a pair', () => tap(page, page.locator(`label:has([value="${pair}"])`)))
  await measure('go on', () => tap(page, button(page, 'Continue')))
  const amount = page.getByLabel('Investment amount')
  await amount.fill('')
  for (const digit of '250')
    await measure('type a digit of the amount', () => page.keyboard.press(digit))
  for (const heading of ['Which coins?', 'How much risk?']) {
    await page.goBack()
    await page.getByRole('heading', { name: heading }).waitFor()
  }
}

async function changeTabs(page: Page, measure: Measure): Promise<void> {
  for (const name of ['Bots', 'History', 'Help', 'Profile', 'Home']) {
    const link = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name, exact: true })
    await measure(name, () => tap(page, link))
    await page.locator('#main-nav [aria-current=page]', { hasText: name }).waitFor()
  }
}

const EARLY: readonly { path: string; name: string }[] = [
  { path: '/', name: 'Balance breakdown' },
  { path: '/bot-config/new', name: 'Continue' },
]

/** Presses while the scripts are still on their way. */
async function reportSign(open: () => Promise<BrowserContext>): Promise<void> {
  const times: number[] = []
  for (let count = 0; count < ROUNDS; count += 1)
    for (const { path, name } of EARLY) times.push(await earlyPress(await open(), { path, name }))
  const longest = Math.max(...times)
  report({
    name: `a press before the app is alive, ${times.length} at ${SLOWDOWN} × slowdown, to its sign`,
    measured: milliseconds(longest),
    ratio: `median ${milliseconds(median(times))}`,
    target: { text: `≤ ${MOST.sign} ms`, met: longest <= MOST.sign },
  })
}

async function earlyPress(
  context: BrowserContext,
  { path, name }: { path: string; name: string },
): Promise<number> {
  const page = await context.newPage()
  await page.route('**/assets/*.js', () => undefined)
  await watchSign(page)
  await page.goto(path)
  await slowDown(page)
  await tap(page, button(page, name))
  const ms = await signMs(page)
  await context.close()
  return ms
}

/** Home at full speed, untouched, while the user's bot trades. */
async function reportLongStay(
  open: () => Promise<BrowserContext>,
  server: RunningServer,
): Promise<void> {
  const context = await open()
  const page = await context.newPage()
  await page.goto('/')
  const session = await context.newCDPSession(page)
  const sql = await server.database()
  const trades = async () =>
    (
      await sql<
        { count: number }[]
      >`select count(*)::int as count from pool_changes where kind = 'trade'`
    )[0]?.count ?? 0
  try {
    await delay(WARM_UP_MINUTES * 60_000)
    const traded = await trades()
    await watchShift(page)
    const heaps = [await heapBytes(session)]
    for (let quarter = 0; quarter < 4; quarter += 1) {
      await delay(MINUTES * 15_000)
      heaps.push(await heapBytes(session))
    }
    const shift = await page.evaluate(
      () => (window as unknown as { shift: { worst: number } }).shift.worst,
    )
    const growthSince = (quarter: number) => ((heaps[4] ?? 0) / (heaps[quarter] ?? 0) - 1) * 100
    // Compiled code and the browser's own records fill up at first; a leak would go on growing.
    const growth = growthSince(2)
    const stay = `${MINUTES} minutes on Home with ${(await trades()) - traded} trades of pools`
    report({
      name: `${stay}, growth of the heap in the second half, after garbage collection`,
      measured: `${growth.toFixed(1)} %`,
      ratio:
        `${growthSince(0).toFixed(1)} % in all; MB at each quarter: ` +
        heaps.map((bytes) => (bytes / 1_000_000).toFixed(2)).join(', '),
      target: { text: `< ${MOST.heapPercent} %`, met: growth < MOST.heapPercent },
    })
    report({
      name: `${stay}, layout shift`,
      measured: shift.toFixed(4),
      target: { text: `≤ ${MOST.shift}`, met: shift <= MOST.shift },
    })
  } finally {
    await sql.end()
    await context.close()
  }
}

async function heapBytes(session: CDPSession): Promise<number> {
  // Objects that are freed by a finalizer go with the second collection.
  for (let count = 0; count < 2; count += 1) await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

/**
 * Cumulative layout shift as browsers define it: the worst window of at most five seconds whose
 * shifts are less than a second apart.
 */
async function watchShift(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shift = { worst: 0, sum: 0, begin: -Infinity, last: -Infinity }
    Object.assign(window, { shift })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const isNew = entry.startTime - shift.last > 1_000 || entry.startTime - shift.begin > 5_000
        if (isNew) Object.assign(shift, { begin: entry.startTime, sum: 0 })
        shift.last = entry.startTime
        shift.sum += 'value' in entry ? Number(entry.value) : 0
        shift.worst = Math.max(shift.worst, shift.sum)
      }
    }).observe({ type: 'layout-shift' })
  })
}
