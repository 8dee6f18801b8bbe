import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portfolioOf } from '../world/balance-curve.ts'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { wordsShown } from './words-shown.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('2500')
  await ada.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'conservative',
      investmentAmount: '900',
      tradingPairs: ['BTC/USDT', 'ETH/USDT'],
    },
  })
  const { id } = await ada.call('createBot', {
    body: {
      name: 'Wide',
      riskLevel: 'aggressive',
      investmentAmount: '600',
      tradingPairs: ['SOL/USDT', 'AVAX/USDT', 'LINK/USDT'],
    },
  })
  await product.world.hours(24 * 8)
  const holdsCoins = async () =>
    (await ada.call('getBotPerformance', { params: { id } })).holdings.some(
      ({ quantity }) => Number(quantity) > 0,
    )
  // The day's sentence names its trades; a day without any is the shortest.
  while ((await portfolioOf(ada)).dayTrades.length > 0 || !(await holdsCoins()))
    await product.world.hours(12)
})
afterAll(() => product.close())

/** The share of visible texts whose type has 14 pixels or less. */
const smallTexts = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const sizes: number[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const holder = text.parentElement
      if (
        !holder?.checkVisibility({ visibilityProperty: true }) ||
        !/[\p{L}\p{N}]/u.test(text.textContent ?? '')
      )
        continue
      sizes.push(Number.parseFloat(getComputedStyle(holder).fontSize))
    }
    return sizes.filter((size) => size <= 14).length / sizes.length
  })

const MOST_WORDS = 90
const MOST_SMALL_TEXTS = 0.4

test('Home with two bots has few words, most of them in large type', async () => {
  const page = await product.open('/', ada)
  await page.getByRole('link', { name: 'Your week' }).waitFor()
  const words = await wordsShown(page)
  expect(words.length).toBeLessThanOrEqual(MOST_WORDS)
  expect(await smallTexts(page)).toBeLessThanOrEqual(MOST_SMALL_TEXTS)
  await page.context().close()
})

test('the result beside the ranges is of the chosen one, or not shown', async () => {
  const page = await product.open('/', ada)
  const tabs = page.getByRole('tablist', { name: 'Time range' })
  const result = tabs.locator('xpath=../span')
  await result.waitFor()
  let letGo = (): void => undefined
  const over = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/api/portfolio/curve?range=1D', async (route) => {
    await over
    await route.continue()
  })
  await page.getByRole('tab', { name: '1D', exact: true }).click()
  await result.waitFor({ state: 'hidden' })
  letGo()
  await result.waitFor()
  await page.context().close()
})

test('the heading of the market on Home states that its 24 hours are market time', async () => {
  const page = await product.open('/', ada)
  await page
    .getByRole('region', { name: 'Market Overview' })
    .getByText('24 h (market time)', { exact: true })
    .waitFor()
  await page.context().close()
})

test("a bot's screen has at most 120 words, most of them in large type", async () => {
  const page = await product.open('/bot-config', ada)
  await page.getByRole('link', { name: /^Steady/ }).click()
  await page.getByText('All trades').waitFor()
  expect((await wordsShown(page)).length).toBeLessThanOrEqual(120)
  expect(await smallTexts(page)).toBeLessThanOrEqual(MOST_SMALL_TEXTS)
  await page.context().close()
})

test('screen readers get each bot and each coin as sentences', async () => {
  const page = await product.open('/', ada)
  const bots = page.getByRole('region', { name: 'Active Trading Bots' }).getByRole('link')
  const name = (place: number) => bots.nth(place).locator('.sr-only').first().textContent()
  await bots.nth(2).waitFor()
  const [who, result, what, ...now] = ((await name(1)) ?? '').split(/(?<=\D)\. /)
  expect(who).toBe('Wide, active')
  expect(result).toMatch(/^\$[\d.]+, (up|down) \$[\d.]+ or [\d.]+% since the start$/)
  expect(what).toBe('aggressive on $600.00: Solana, Avalanche and Chainlink')
  expect(now.join()).toMatch(/^\d+% in coins, because \d+ of \d+ price trends are up/)
  await page.getByRole('button', { name: 'Hide balance' }).click()
  await expect.poll(() => name(2)).toMatch(/^Steady, active\. Hidden, /)
  expect(await name(2)).toMatch(/ Hidden or .* on Hidden: Bitcoin and Ethereum\./)
  await page
    .getByRole('link', {
      name: /^Bitcoin, BTC: \$[\d.,]+, (up|down) [\d.]+%, 24 h \(market time\)/,
    })
    .waitFor()
  await page.context().close()
})

test.each([
  ['en-US', /^(up|down) \$[\d.]+ or [\d.]+%$/],
  ['de-DE', /^[\d,]+\s\$ oder [\d,]+\s% im (Plus|Minus)$/],
])('in %s, screen readers get the change of the balance in words', async (locale, words) => {
  const page = await product.open('/', ada, { locale })
  const balance = page.getByRole('region').first()
  await expect.poll(() => balance.locator('p > bdi > .sr-only').textContent()).toMatch(words)
  await page.context().close()
})

test('a phone shows three coins until a press shows all', async () => {
  const page = await product.open('/', ada)
  const coins = page.getByRole('region', { name: 'Market Overview' }).getByRole('listitem')
  await expect.poll(() => coins.count()).toBe(3)
  await page.getByRole('button', { name: 'All coins' }).click()
  await expect.poll(() => coins.count()).toBe(12)
  await expect.poll(() => coins.locator('svg[preserveAspectRatio=none]').count()).toBe(12)
  await page.getByRole('button', { name: 'All coins' }).click()
  await expect.poll(() => coins.count()).toBe(3)
  await page.context().close()
})

test.each(['/market/ETH-USD', '/bot-config'])(
  'charts that %s leaves out are fetched for Home',
  async (path) => {
    const page = await product.open(path, ada)
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    const coins = page.getByRole('region', { name: 'Market Overview' }).getByRole('listitem')
    await expect.poll(() => coins.locator('svg[preserveAspectRatio=none]').count()).toBe(3)
    await page.context().close()
  },
)

test('on a phone, bots have three lines, the greeting two, with the bell beside it', async () => {
  const page = await product.open('/', ada)
  const rows = page.getByRole('region', { name: 'Active Trading Bots' }).getByRole('link')
  await rows.nth(2).waitFor()
  for (const place of [1, 2])
    expect((await rows.nth(place).boundingBox())?.height).toBeLessThanOrEqual(100)
  const greeting = page.locator('main header, header').first()
  const bell = await greeting.getByRole('link').boundingBox()
  const name = await greeting.getByRole('heading', { level: 1 }).boundingBox()
  expect(
    Math.abs((bell?.y ?? 0) + 8 - (name?.y ?? 0)),
    'the bell is in the first line',
  ).toBeLessThan(24)
  expect((await greeting.boundingBox())?.height).toBeLessThanOrEqual(90)
  await page.context().close()
})

test('the button of the breakdown shows its name, and opens it', async () => {
  const page = await product.open('/', ada)
  const button = page.getByRole('button', { name: 'Balance breakdown' })
  expect(await button.innerText()).toBe('Breakdown')
  await button.click()
  await page.getByRole('dialog').getByText('Money in bots moves with the market.').waitFor()
  await page.context().close()
})

test('on a wide screen the balance stays beside the bots and the market', async () => {
  const viewport = { width: 1_920, height: 700 }
  const page = await product.open('/', ada, { viewport, isMobile: false, hasTouch: false })
  const balance = page.getByRole('region', { name: 'Total Balance' })
  const [left, right] = [
    await balance.boundingBox(),
    await page.getByRole('region', { name: 'Market Overview' }).boundingBox(),
  ]
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
  expect((await balance.boundingBox())?.y).toBeGreaterThanOrEqual(0)
  await page.context().close()
})
