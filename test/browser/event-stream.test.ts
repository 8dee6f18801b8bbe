import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { screensFor, type Screen } from '#contract/screens.ts'
import { publish } from '#server/events/bus.ts'
import { pauseClock, stopClock } from '../spec/clock.ts'
import {
  waitUntilInteractive,
  openProduct,
  type OpenOptions,
  type Product,
} from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { addressOf } from './address.ts'
import { measureLooks } from './measures.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

type Answer = number | 'nothing' | 'the stream'
/**
 * A page, and the responses to its requests for the event stream; `asked` counts those requests.
 */
type Gate = { page: Page; user: TestUser; asked: number; answer: (attempt: number) => Answer }

async function openHome(
  answer: Gate['answer'],
  options: OpenOptions & { path?: string } = {},
): Promise<Gate> {
  const user = await product.world.user()
  const gate = { user, asked: 0, answer } as Gate
  const meet = (route: Route) => {
    const given = gate.answer((gate.asked += 1))
    if (given === 'nothing') return route.abort()
    return given === 'the stream'
      ? route.continue()
      : route.fulfill({ status: given, contentType: 'text/html', body: '<h1>Not now</h1>' })
  }
  const before = async (page: Page) => {
    await page.route(`**${plainRoutes.events}*`, meet)
    await options.before?.(page)
  }
  gate.page = await product.open(options.path ?? '/', user, { ...options, before })
  await waitUntilInteractive(gate.page)
  return gate
}

const balance = ({ page }: Gate, amount: string) =>
  page.getByRole('region', { name: 'Total Balance' }).getByText(amount).first().waitFor()
const shownBalance = ({ page }: Gate) =>
  page.getByRole('region', { name: 'Total Balance' }).locator('.sr-only').first().textContent()
const stale = ({ page }: Gate) => page.getByText(/^Prices from .*\. Reconnecting…$/)

/** The server ends the stream, as it does during a deployment. */
const endStream = ({ user }: Gate) =>
  publish(product.world.context.sql, { name: 'sessions-ended', userIds: [user.id] })

async function isLive(gate: Gate): Promise<void> {
  await gate.user.deposit('50')
  await balance(gate, '$50.00')
}

describe('an event stream answered with', () => {
  test.each([502, 429, 503])(
    '%i once is reopened, and changes made in the meantime are shown',
    async (status) => {
      const gate = await openHome((attempt) => (attempt === 2 ? status : 'the stream'))
      await isLive(gate)
      await endStream(gate)
      await expect.poll(() => gate.asked).toBe(2)
      await gate.user.deposit('25')
      await balance(gate, '$75.00')
      await gate.user.deposit('25')
      await balance(gate, '$100.00')
      expect(gate.asked).toBe(3)
      await gate.page.context().close()
    },
  )

  test('502, 429, 503 and then no response at all is opened in the end', async () => {
    const answers: Answer[] = [502, 429, 503, 'nothing']
    const gate = await openHome((attempt) => answers[attempt - 1] ?? 'the stream')
    await isLive(gate)
    await gate.user.deposit('25')
    await balance(gate, '$75.00')
    await gate.page.context().close()
  })
})

/** Advances the page's stopped clock by `stepMs` per poll until `read` returns `expected`. */
async function passUntil<Value>(
  gate: Gate,
  read: () => Value | Promise<Value>,
  expected: Value,
  stepMs = 100,
): Promise<void> {
  const look = async () => {
    await gate.page.clock.runFor(stepMs)
    return read()
  }
  await expect.poll(look).toEqual(expected)
}

const clock = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

const HOUR_MS = 3_600_000

/** Sets the clock of the device while the page is open, and nothing else. */
const setDeviceClock = async ({ page }: Gate, byMs: number) =>
  page.clock.setSystemTime((await page.evaluate(() => Date.now())) + byMs)

/** 'Prices from 14:03:22. Reconnecting…' for each second of the range. */
function linesFrom(fromMs: number, toMs: number): string[] {
  const seconds = Math.ceil((toMs - fromMs) / 1_000)
  return Array.from(
    { length: seconds + 1 },
    (_, second) => `Prices from ${clock.format(fromMs + second * 1_000)}. Reconnecting…`,
  )
}

test.each([
  ['', 0],
  [', on a device whose clock was set back an hour meanwhile', -HOUR_MS],
  [', on a device whose clock was set forward an hour meanwhile', HOUR_MS],
])(
  'after 10 s without a stream the screen shows the age of its prices, until the stream is back%s',
  async (_clock, byMs) => {
    // Answers that came with the page may be the oldest on the screen.
    const fromMs = Date.now()
    // Installed before loading, because it restarts `performance.now`, by which the page dates its
    // answers.
    const gate = await openHome(() => 'the stream', {
      timezoneId: 'UTC',
      before: (opened) => opened.clock.install(),
    })
    const { page } = gate
    await isLive(gate)
    await pauseClock(page)
    await setDeviceClock(gate, byMs)
    gate.answer = () => 502
    await endStream(gate)
    await passUntil(gate, () => gate.asked > 1, true)
    const toMs = await page.evaluate(() => Date.now())
    expect(await stale(gate).count()).toBe(0)
    await page.clock.runFor(10_000)
    await passUntil(gate, () => stale(gate).count(), 1)
    expect(linesFrom(fromMs + byMs, toMs)).toContain(await stale(gate).textContent())
    expect(
      await page
        .getByRole('status')
        .filter({ has: stale(gate) })
        .count(),
      'it is announced to screen readers',
    ).toBe(1)

    gate.answer = () => 'the stream'
    await gate.user.deposit('10')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await passUntil(gate, () => shownBalance(gate), '$60.00')
    await passUntil(gate, () => stale(gate).count(), 0)
    await page.context().close()
  },
)

test.each(['online', 'visibilitychange'])(
  'the event %s reopens the stream at once',
  async (event) => {
    const gate = await openHome((attempt) => (attempt === 1 ? 503 : 'the stream'), {
      before: stopClock,
    })
    // Repeated until it takes effect: the first response may still be in flight.
    const say = () =>
      gate.page.evaluate(
        (name) => void (name === 'online' ? window : document).dispatchEvent(new Event(name)),
        event,
      )
    await expect.poll(async () => (await say(), gate.asked)).toBe(2)
    await gate.user.deposit('50')
    await passUntil(gate, () => shownBalance(gate), '$50.00')
    await gate.page.context().close()
  },
)

test.each([
  ['', 0],
  [', on a device whose clock is set back an hour', -HOUR_MS],
  [', on a device whose clock is set forward an hour', HOUR_MS],
])(
  'a deposit is shown, and an open stream without even a heartbeat is reopened%s',
  async (_clock, byMs) => {
    const gate = await openHome(() => 'the stream', { before: stopClock })
    await gate.user.deposit('20')
    await passUntil(gate, () => shownBalance(gate), '$20.00')
    await setDeviceClock(gate, byMs)
    await gate.user.deposit('30')
    await passUntil(gate, () => shownBalance(gate), '$50.00')
    expect(gate.asked).toBe(1)
    await passUntil(gate, () => gate.asked > 1, true, 10_000)
    await gate.page.context().close()
  },
)

/** The layout shift so far. */
const shiftOf = (page: Page) => page.evaluate(() => (window as unknown as { shift: number }).shift)

function watchShift(): void {
  Object.assign(window, { shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      Object.assign(window, {
        shift:
          (window as unknown as { shift: number }).shift +
          ('value' in entry ? Number(entry.value) : 0),
      })
  }).observe({ type: 'layout-shift' })
}

const pathsOf = (isMeant: (screen: Screen) => boolean) =>
  screensFor(true)
    .filter(isMeant)
    .map(({ path }) => path)

describe('the line that shows the age of figures', () => {
  let user: TestUser
  let id: string
  beforeAll(async () => {
    user = await product.world.user()
    await user.deposit('1000')
    await user.addBankAccount()
    const body = {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'],
      investmentAmount: '300',
    }
    ;({ id } = await user.call('createBot', { body }))
    await product.world.hours(72)
  })

  test.each(pathsOf(({ live }) => live !== undefined))(
    'the line is shown on %s, shifts nothing and is accessible',
    async (path) => {
      const page = await product.open(addressOf(path, id), user, {
        isMobile: false,
        before: async (opened) => {
          await opened.route(`**${plainRoutes.events}*`, (route) =>
            route.fulfill({ status: 502, body: '' }),
          )
          await stopClock(opened)
        },
      })
      await waitUntilInteractive(page)
      await page.evaluate(watchShift)
      await page.clock.runFor(11_000)
      const line = page.getByText(
        /^(Prices|Figures) from (.+, \d\d:\d\d|\d\d:\d\d:\d\d)\. Reconnecting…$/,
      )
      await page.clock.resume()
      await line.waitFor()
      expect(await shiftOf(page)).toBe(0)
      const looks = await measureLooks(page, 'dark')
      expect(looks.flatMap(({ findings }) => findings)).toEqual([])
      await page.context().close()
    },
  )

  test.each(pathsOf(({ live }) => live === undefined))(
    'the line is not shown on %s, which has no live figures',
    async (path) => {
      const gate = await openHome(() => 502, { path, before: stopClock })
      await expect
        .poll(async () => (await gate.page.clock.runFor(4_000), gate.asked))
        .toBeGreaterThan(5)
      expect(await gate.page.getByText(/Reconnecting…/).count()).toBe(0)
      await gate.page.context().close()
    },
  )
})
