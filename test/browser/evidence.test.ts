import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import type { Evidence } from '#contract/evidence.ts'
import {
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { changeFirstData } from '../spec/first-data.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { expectTenPackets } from './first-visit.ts'
import { pattern } from '../world/pattern.ts'
import { wordsShown } from './words-shown.ts'

const MARKET = process.env['MARKET_DATA_DIR'] ?? 'data/candles'
const SMALL_PHONE = { ...PHONE, viewport: { width: 360, height: 640 } }
const TRUTH = 'Target, not a promise: you can lose money.'
const PAST = 'Past results, not a promise: you can lose money.'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  const env = {
    MARKET_FEED: 'replay',
    MARKET_DATA_DIR: MARKET,
    MARKET_START: '2024-03-16T00:00:00Z',
    MARKET_SPEED: '60',
  }
  ;[server, browser] = await Promise.all([
    startServer({ dataDir: await makeDataDir(), env }),
    launchBrowser(),
  ])
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await removeDataDir(server.dataDir)
})

async function figures(): Promise<Extract<Evidence, { state: 'figures' }>['figures']> {
  for (;;) {
    const evidence: Evidence = await (await fetch(`${server.url}/api/evidence`)).json()
    if (evidence.state === 'figures') return evidence.figures
    expect(evidence.state).toBe('computing')
  }
}

const open = async (options: object = PHONE): Promise<Page> =>
  (await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', ...options })).newPage()

async function expectInView(page: Page, what: Locator, name: string): Promise<void> {
  const box = await what.boundingBox()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  expect(box, `${name} is there`).not.toBeNull()
  if (box === null) return
  expect(
    box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
    `${name} is in view`,
  ).toBe(true)
}

const fontSize = (what: Locator): Promise<number> =>
  what.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))

/**
 * Checks that claim, disclaimer and evidence are in one view, and that neither disclaimer nor
 * evidence is in smaller type than the claim.
 */
async function expectHonest(
  page: Page,
  { claim, truth, evidence }: Record<'claim' | 'truth' | 'evidence', Locator>,
): Promise<void> {
  const size = await fontSize(claim)
  for (const [name, line] of Object.entries({ claim, truth, evidence })) {
    await expectInView(page, line, name)
    expect(await fontSize(line), `${name} is as large as the claim`).toBeGreaterThanOrEqual(size)
  }
}

test('the first visitor sees that evidence is computed, then figures without a shift', async () => {
  const page = await open(SMALL_PHONE)
  await page.addInitScript(() => {
    const shifts = { total: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.total += 'value' in entry ? Number(entry.value) : 0
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'The evidence is being computed.' }).waitFor()
  const { levels } = await figures()
  await page.getByRole('link', { name: /^\d+ of 100 starts lost money/ }).waitFor()
  expect(levels.length).toBe(3)
  expect(
    await page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total),
  ).toBe(0)
  await page.context().close()
})

test.each(['en', 'de'])(
  'with recorded prices too, the landing page fits into ten packets: %s',
  async (language) => {
    await figures()
    await expectTenPackets(server.url, language)
  },
)

test('each claim has disclaimer and evidence within the same view on a small phone', async () => {
  await figures()
  const page = await open(SMALL_PHONE)
  for (const path of ['/', '/signup']) {
    await page.goto(path)
    const evidence = page.getByRole('link', {
      name: pattern(
        /^\d+ of 100 starts lost money after 12 months\. /,
        /Median \+.*%, worst −.*%\.$/,
      ),
    })
    await evidence.waitFor()
    expect(await evidence.getAttribute('href')).toBe('/evidence')
    // The card of the claim stands below the fields of the sign-up.
    if (path === '/signup')
      await evidence.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await expectHonest(page, {
      claim: page.getByText('Up to 75% Returns'),
      truth: page.getByText(TRUTH),
      evidence,
    })
  }
  await signUp(page, 'ada')
  await page.goto('/bot-config')
  const truth = page.getByText(TRUTH)
  const losses = levelCards(page).getByText(/^\d+ of 100$/)
  await losses.first().waitFor()
  await page
    .getByText('50-75% returns')
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await expectHonest(page, {
    claim: page.getByText('50-75% returns'),
    truth,
    evidence: losses.last(),
  })
  expect(await losses.count()).toBe(3)
  const reds = await levelCards(page)
    .locator('svg .stroke-loss')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width))
  expect(reds, 'on one scale, a higher level has a longer red').toHaveLength(3)
  expect(reds).toEqual(reds.toSorted((one, other) => one - other))
  expect(reds[0]).toBeGreaterThan(0)
  expect(
    await page.getByRole('link', { name: /^12-month targets, hypothetical/ }).getAttribute('href'),
  ).toBe('/evidence')
  await page.context().close()
})

const levelCards = (page: Page): Locator =>
  page.getByRole('group', { name: 'Risk level' }).locator('label')

async function signUp(page: Page, username: string): Promise<void> {
  const data = { username, password: 'a long password', firstName: 'Ada', lastName: 'Lovelace' }
  await page
    .context()
    .request.post('/api/auth/signup', { data, headers: { 'sec-fetch-site': 'same-origin' } })
}

test('without targets, past results have disclaimer and risks within the same view', async () => {
  const moderate = (await figures()).levels[1]
  const page = await open({ ...SMALL_PHONE, serviceWorkers: 'block' })
  await nameNoTargets(page)
  await page.goto('/')
  await expectHonest(page, {
    claim: page.getByText(`Returns: median +${moderate?.median.percent}%`),
    truth: page.getByText(PAST),
    evidence: page.getByRole('link', {
      name: /^\d+ of 100 starts lost money after 12 months\. Median \+.*%, worst −.*%\.$/,
    }),
  })
  await signUp(page, 'bob')
  for (const path of ['/bot-config', '/evidence']) {
    await page.goto(path)
    await page.getByText(PAST).waitFor()
    expect(
      await page
        .getByText(/target/i)
        .locator('visible=true')
        .allTextContents(),
    ).toEqual([])
    await expectAccessible(page, `${path} without targets`)
  }
  await page.goto('/bot-config')
  const median = page.getByText(`median +${moderate?.median.percent}%`, { exact: true })
  await median.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const card = levelCards(page).filter({ has: median })
  await expectHonest(page, {
    claim: median,
    truth: page.getByText(PAST),
    evidence: card.getByText(`−${moderate?.worst.percent.slice(1)}%`, { exact: true }),
  })
  await expectInView(page, card.getByText(/^\d+ of 100$/), 'the share that lost money')
  await page.context().close()
})

/** Shows the server as if its operator named no targets. */
async function nameNoTargets(page: Page): Promise<void> {
  const claims = 'evidence'
  await changeFirstData(({ getConfig, ...data }) => ({
    ...data,
    getConfig: { ...(getConfig as object), claims },
  }))(page)
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), claims } })
  })
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
      `${name}, ${colorScheme}`,
    ).toEqual([])
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0)
  }
}

test('the evidence page, as opened, has at most 130 words', async () => {
  await figures()
  const page = await open()
  await page.goto('/evidence')
  await page.getByText('Could it be luck?').waitFor()
  const mark = page.getByText('Hypothetical: no money moved')
  const prices = page.getByText('Recorded market.', { exact: true })
  expect(await prices.isVisible()).toBe(true)
  const [above, below] = [await mark.boundingBox(), await prices.boundingBox()]
  expect((below?.y ?? 0) - (above?.y ?? 0), 'prices beside the claim').toBeLessThan(150)
  expect((await wordsShown(page)).length).toBeLessThanOrEqual(130)
  await page.context().close()
})

test('the evidence page has the server’s figures, works by keyboard, is accessible', async () => {
  const { levels, buyAndHold, dataHash, engineVersion } = await figures()
  const [conservative, moderate] = levels
  const page = await open()
  await page.goto('/evidence')
  await page.getByText(`+${moderate?.median.percent}%`).first().waitFor()
  for (const door of await page.locator('details > summary').all()) await door.click()
  await page.getByText(dataHash).waitFor()
  await page.getByText(engineVersion).waitFor()
  await page.getByRole('tab', { name: 'Moderate' }).press('ArrowLeft')
  await page
    .getByRole('tabpanel', { name: 'Conservative' })
    .getByText(`+${conservative?.median.percent}%`)
    .waitFor()
  const drawing = page.getByRole('img', {
    name: /^12-month results by start day\. Median: .* lost money\.$/,
  })
  expect(await drawing.locator('rect').count()).toBeGreaterThan(100)
  const results = page
    .getByRole('table', { name: 'Results of 12 months' })
    .getByRole('row', { name: /^Buy and hold/ })
  expect(await results.getByRole('cell').allTextContents()).toEqual([
    shown(buyAndHold.worst),
    shown(buyAndHold.median),
    shown(buyAndHold.best),
  ])
  const monthly = page
    .getByRole('table', { name: 'Medians of 12 months' })
    .getByRole('row', { name: /^Moderate/ })
  const once = moderate?.monthly
  expect(await monthly.getByRole('cell').allTextContents()).toEqual([
    shown(required(moderate?.median, 'a median')),
    shown(required(once?.median, 'a median')),
    `${once?.onceHigherPercent}%`,
  ])
  await page
    .getByText('Investing all at once ended higher in most windows, at every kind and level.')
    .waitFor()
  await page.setViewportSize({ width: 1_280, height: 800 })
  const [chart, table] = await Promise.all([
    drawing.boundingBox(),
    page.getByRole('table', { name: 'Results of 12 months' }).boundingBox(),
  ])
  expect(table?.x, 'on a desk the tables stand beside the drawing').toBeGreaterThan(
    (chart?.x ?? 0) + (chart?.width ?? 0),
  )
  for (const width of [1_280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expectAccessible(page, `${width}`)
  }
  await page.context().close()
})

/** Percentages as the tables print them: with sign and grouped digits. */
function shown({ percent }: { percent: string }): string {
  const digits = Number(percent.replace('-', '')).toLocaleString('en-US', {
    minimumFractionDigits: 2,
  })
  return `${percent.startsWith('-') ? '−' : '+'}${digits}%`
}
