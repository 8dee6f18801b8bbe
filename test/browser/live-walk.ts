import type { Page } from 'playwright-core'
import { routes } from '#contract/routes.ts'
import { tabs, type NamedScreen } from '#contract/screens.ts'
import { VALUED } from '#contract/query-key.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { portfolioOf } from '../world/balance-curve.ts'
import { waitUntilInteractive, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { addressOf } from './address.ts'

/**
 * The answers of the API at one moment: every figure with two decimals, by its place in them.
 * Points of curves belong to other moments.
 */
export type Figures = ReadonlyMap<string, string>

const OF_OTHER_MOMENTS = new Set([
  'curve',
  'day',
  'withoutTrading',
  'moneyMarks',
  'equityCurve',
  'buyAndHoldCurve',
  'investedCurve',
  'cashCurve',
  'tradeMarks',
  'heldInstead',
  'ownCash',
  'botHoldings',
  'pools',
  'trace',
])

/** Minimum digits of a figure; shorter ones appear on many screens by chance. */
const LEAST_DIGITS = 5

export async function readFigures(user: TestUser, botId: string): Promise<Figures> {
  const [portfolio, performance] = [
    await portfolioOf(user, '1M'),
    await user.call('getBotPerformance', { params: { id: botId } }),
  ]
  const prices = Object.entries(await user.call('getPrices')).map(
    ([symbol, { price }]) =>
      [
        `price of ${symbol}`,
        englishMoneyText({ amount: price, precision: 'price' }).replaceAll(/[$,]/g, ''),
      ] as const,
  )
  return new Map([
    ...figuresIn('portfolio', portfolio),
    ...figuresIn('performance', performance),
    ...prices.filter(([, price]) => isTelling(price)),
  ])
}

function figuresIn(place: string, answer: unknown): [string, string][] {
  if (typeof answer === 'string')
    return /^-?\d+\.\d\d$/.test(answer) && isTelling(answer)
      ? [[place, answer.replace('-', '')]]
      : []
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([name, part]) =>
    OF_OTHER_MOMENTS.has(name) ? [] : figuresIn(`${place}.${name}`, part),
  )
}

const isTelling = (figure: string) => figure.replaceAll(/\D/g, '').length >= LEAST_DIGITS

/** A screen that stays open, with the figures of the API that it showed at first. */
export type OpenScreen = { name: string; entry: Entry; page: Page; shows: readonly string[] }
export type Entry = 'by address' | 'by tab'

type Texts = { all: string; figures: string }

/** Runs in the page: its text and its figures alone, without marks of thousands. */
const readTexts = (): Texts => {
  const textOf = (elements: Iterable<Element>) =>
    Array.from(elements, (element) => element.textContent)
      .join(' ')
      .replaceAll(',', '')
  return {
    all: textOf(document.querySelectorAll('main')),
    figures: textOf(document.querySelectorAll('main bdi')),
  }
}

const isPrice = (place: string) => place.startsWith('price of ')

/** Excluded: sentences contain prices of past hours, on which a strategy decided. */
const isShownAt = (texts: Texts, [place, figure]: readonly [string, string]) =>
  isShown(isPrice(place) ? texts.figures : texts.all, figure)

const isShown = (text: string, figure: string) =>
  new RegExp(`(?<![\\d.])${figure.replace('.', String.raw`\.`)}(?!\\d)`).test(text)

type Walk = {
  product: Product
  user: TestUser
  botId: string
  before: (page: Page) => Promise<unknown>
}

/** Opens these screens, each in both ways; screens that show a figure of the API stay open. */
export async function openScreens(
  screens: readonly NamedScreen[],
  walk: Walk,
): Promise<OpenScreen[]> {
  const fixed = await amountsInHistory(walk.user)
  const figures = [...(await readFigures(walk.user, walk.botId))].filter(
    ([, figure]) => !fixed.has(figure),
  )
  const open: OpenScreen[] = []
  for (const screen of screens) {
    for (const entry of ['by address', 'by tab'] as const) {
      const page = await enter(walk, { screen, entry })
      await page.waitForFunction(
        () =>
          document.querySelector('main [aria-busy=true], main .motion-safe\\:animate-breathe') ===
          null,
      )
      const texts = await page.evaluate(readTexts)
      const shows = figures.flatMap(([place, figure]) =>
        isShownAt(texts, [place, figure]) ? [place] : [],
      )
      if (shows.length === 0) await page.context().close()
      else open.push({ name: screen.name, entry, page, shows })
    }
  }
  for (const { page } of open) await silenceValued(page)
  return open
}

/** Amounts that never change. A figure that equals one of them may be on the screen by chance. */
async function amountsInHistory(user: TestUser): Promise<ReadonlySet<string>> {
  const { items } = await user.call('listTransactions')
  return new Set(items.map(({ amount }) => amount.replace('-', '')))
}

/**
 * Opens the screen by its address; or the app on a screen without a price, then the screen by its
 * tab. A screen without a tab is entered as by a link in the app.
 */
async function enter(
  { product, user, botId, before }: Walk,
  { screen, entry }: { screen: NamedScreen; entry: Entry },
): Promise<Page> {
  const path = addressOf(screen.path, botId)
  const options = { viewport: { width: 1_280, height: 800 }, isMobile: false, before }
  const page = await product.open(entry === 'by address' ? path : '/help', user, options)
  await waitUntilInteractive(page)
  if (entry === 'by address') return page
  const tab = tabs.find((each) => each.path === screen.path)
  if (tab)
    await page.getByRole('navigation').getByRole('link', { name: tab.tab, exact: true }).click()
  else await page.evaluate((to) => history.pushState(null, '', to), path)
  await page.waitForURL(`**${path}`)
  await page.locator('main h1').first().waitFor()
  return page
}

/** Blocks answers with valued figures, so that the screen must compute worth from prices. */
async function silenceValued(page: Page): Promise<void> {
  const silent = [...VALUED, 'getUser', 'listBots'].map((name) =>
    routes[name as keyof typeof routes].path.replace(/:\w+/, '[^/]+'),
  )
  const pattern = new RegExp(`^(${silent.join('|')})$`)
  await page.route(
    (url) => pattern.test(url.pathname),
    (route) => (route.request().method() === 'GET' ? undefined : route.continue()),
  )
}

/** The figures that a screen showed at first and that now differ from the API. */
export async function differences(
  { name, entry, page, shows }: OpenScreen,
  figures: Figures,
): Promise<string[]> {
  const texts = await page.evaluate(readTexts)
  return shows.flatMap((place) => {
    const figure = figures.get(place) ?? ''
    return figure === '' || isShownAt(texts, [place, figure])
      ? []
      : [`${name} ${entry}: ${place} is not ${figure}`]
  })
}

/**
 * Replaces the page's clock by one that is set back and forth by an hour, as on a device. No event
 * reports this.
 */
export function jumpingClock(): void {
  const Device = Date
  let [asked, aheadMs] = [0, 0]
  const now = () => {
    asked += 1
    if (asked % 7 === 0) aheadMs = [0, 3_600_000, -3_600_000][(asked / 7) % 3] ?? 0
    return Device.now() + aheadMs
  }
  class Jumping extends Device {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number]))
    }
    static override now = now
  }
  Object.assign(window, { Date: Jumping })
}
