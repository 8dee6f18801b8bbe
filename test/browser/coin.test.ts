import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publish } from '#server/events/bus.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { pattern } from '../world/pattern.ts'

let product: Product
let ada: TestUser
let botId = ''
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  const bots = [
    { name: 'Steady', riskLevel: 'conservative' },
    { name: 'Wide', riskLevel: 'aggressive' },
  ]
  for (const bot of bots) {
    const { id } = await ada.call('createBot', {
      body: { ...bot, tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'], investmentAmount: '300' },
    })
    botId = id
  }
  for (let day = 0; day < 120 && (await tradesOnBtc()).length === 0; day += 1)
    await product.world.hours(24)
})
afterAll(() => product.close())

const marketOf = (range = '1M') =>
  ada.call('getMarket', { params: { id: 'BTC-USD' }, query: { range } })
const tradesOnBtc = async () => (await marketOf()).trades
const priceText = (amount = '') => englishMoneyText({ amount, precision: 'price' })
const drawn = (page: Page) =>
  page.waitForFunction(() => document.querySelector('[role=slider] canvas') !== null)

/**
 * Whether something is drawn in the upper and the lower half, right of all candles of the past day.
 */
function darkRows(): { above: boolean; below: boolean } {
  const canvas = document.querySelector<HTMLCanvasElement>('[role=slider] canvas')
  const { width = 0, height = 0 } = canvas ?? {}
  const left = Math.round(width * 0.7)
  const isDrawn = (top: number): boolean => {
    const pixels = canvas?.getContext('2d')?.getImageData(left, top, width - left, height / 2).data
    return (pixels ?? []).some(
      (value, at) =>
        at % 4 === 3 && value === 255 && Math.max(...(pixels?.slice(at - 3, at) ?? [])) < 60,
    )
  }
  return { above: isDrawn(0), below: isDrawn(Math.floor(height / 2)) }
}

/** Whether a URL is that of the chart's code. */
const isDrawing = (url: string) => /\/assets\/(drawing|candle-drawing|lightweight)/.test(url)

test("the market list leads to a coin's page; no other page fetches the chart's code", async () => {
  const page = await product.open('/', ada)
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await page.getByRole('link', { name: /^Bitcoin, BTC/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Bitcoin' }).waitFor()
  await drawn(page)
  expect(new URL(page.url()).pathname).toBe('/market/BTC-USD')
  expect(fetched.some(isDrawing)).toBe(true)
  const other = await product.open('/bot-config', ada)
  expect(
    await other.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
  ).not.toContainEqual(expect.stringMatching(/drawing/))
  for (const opened of [page, other]) await opened.context().close()
})

test('the texts of the time axis end where the scale begins', async () => {
  const page = await product.open('/market/BTC-USD', ada)
  await drawn(page)
  await page.waitForFunction(() => {
    const axis = document.querySelector('[role=slider] + p')
    return axis !== null && Number.parseInt(getComputedStyle(axis).paddingRight, 10) > 30
  })
  await page.context().close()
})

test("each bot's next price is stated, and leads to the bot", async () => {
  const page = await product.open('/market/BTC-USD', ada)
  const { bots } = await marketOf()
  expect(bots.length).toBeGreaterThan(0)
  const rows = page.getByRole('region', { name: 'Your bots', exact: true }).getByRole('listitem')
  await rows.first().waitFor()
  expect(await rows.count()).toBe(bots.length)
  for (const text of await rows.allTextContents())
    expect(text).toMatch(/(above|below) \$[\d.,]+\.|At the next check|No trade at nearby/)
  await page.getByText('Dotted: your bots buy if an hour closes beyond $').waitFor()
  await rows.first().getByRole('link').click()
  await page.waitForURL((url) => url.pathname === `/bot-config/${bots[0]?.botId}`)
  await page.context().close()
})

test('arrow keys read candle by candle, and the focus stays on the chart', async () => {
  const { candles } = await marketOf()
  const page = await product.open('/market/BTC-USD', ada)
  await drawn(page)
  const chart = page.getByRole('slider')
  await chart.press('Home')
  const said = async () => (await chart.getAttribute('aria-valuetext')) ?? ''
  const words = ({ open, high, low, close }: (typeof candles)[number]) =>
    `open ${priceText(open)}, high ${priceText(high)}, low ${priceText(low)}, close ` +
    priceText(close)
  const [first, second] = candles
  if (!first || !second) throw new Error('there are candles')
  expect(await said()).toContain(words(first))
  await chart.press('ArrowRight')
  expect(await said()).toContain(words(second))
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
    .toBe('slider')
  expect(await page.getByRole('definition').allTextContents()).toEqual(
    [second.open, second.low, second.high, second.close].map(priceText),
  )
  await page.context().close()
})

test('the table has the figures of every candle of the chosen range, newest first', async () => {
  const page = await product.open('/market/BTC-USD', ada)
  await page.getByRole('tab', { name: '1W' }).click()
  await page.getByText('Each candle covers 2 hours.').waitFor()
  await page.getByRole('button', { name: 'Show as a table' }).click()
  const { candles } = await marketOf('1W')
  const rows = await page.getByRole('row').allTextContents()
  expect(rows).toHaveLength(candles.length + 1)
  expect(rows[1]).toContain(priceText(candles.at(-1)?.close))
  expect(rows.at(-1)).toContain(priceText(candles[0]?.close))
  await page.context().close()
})

test("the page shows each level's decision; the user's trades lead to receipts", async () => {
  const { levels, trades } = await marketOf()
  const page = await product.open('/market/BTC-USD', ada)
  for (const { wantedPercent, reason } of levels) {
    await page.getByText(`${wantedPercent}% invested`).first().waitFor()
    await page.getByText(reason).first().waitFor()
  }
  const links = await page
    .getByRole('link', { name: /^(Bought|Sold) / })
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  expect(links).toEqual(trades.slice(0, links.length).map(({ id }) => `/history?receipt=${id}`))
  expect(links.length).toBeGreaterThan(0)
  await page.context().close()
})

test('the dashed lines beside short candles are explained', async () => {
  const page = await product.open('/market/BTC-USD', ada)
  const legend = page.getByText('Dashed: range of the next 24 hours, 8 times in 10.')
  await page.getByRole('tab', { name: '1D' }).click()
  await page.getByText('Each candle covers an hour.').waitFor()
  await legend.waitFor()
  await drawn(page)
  await expect.poll(() => page.evaluate(darkRows)).toEqual({ above: true, below: true })
  await page.getByRole('tab', { name: '1Y' }).click()
  await page.getByText('Each candle covers 3 days.').waitFor()
  expect(await legend.count()).toBe(0)
  await page.context().close()
})

test("while the model rests, the page states that the range is the plain formula's", async () => {
  const page = await product.open('/market/BTC-USD', ada)
  await page.getByRole('heading', { name: /^Next 24 h/ }).waitFor()
  const note = page.getByText('By the plain formula, while the model rests.')
  expect(await note.count()).toBe(0)
  await page.route('**/api/markets/BTC-USD?*', async (route) => {
    const response = await route.fetch()
    const market = await response.json()
    const forecast = { ...market.forecast, rests: true }
    await route.fulfill({ response, json: { ...market, forecast } })
  })
  await page.getByRole('tab', { name: '1Y' }).click()
  await note.waitFor()
  await page.context().close()
})

test('when an hour has closed, the chart fetches the new candle without a reload', async () => {
  const page = await product.open('/market/BTC-USD', ada)
  await page.getByRole('tab', { name: '1D' }).click()
  await page.getByText('Each candle covers an hour.').waitFor()
  const before = await page.getByRole('slider').getAttribute('aria-label')
  await product.world.hours(3)
  await publish(product.world.context.sql, { name: 'prices' })
  await page.waitForFunction(
    (old) => document.querySelector('[role=slider]')?.getAttribute('aria-label') !== old,
    before,
  )
  const { candles } = await marketOf('1D')
  await page.waitForFunction(
    (text) => document.querySelector('[role=slider]')?.getAttribute('aria-label')?.includes(text),
    `from ${priceText(candles[0]?.open)} `,
  )
  await page.context().close()
})

test("on a coin's page users can start a bot with that coin alone", async () => {
  const page = await product.open('/market/SOL-USD', ada)
  await page.getByRole('link', { name: 'New bot with SOL' }).click()
  await page.waitForURL('**/bot-config/new')
  await page.goto('/bot-config/new')
  await page.getByRole('checkbox', { checked: true }).first().waitFor({ state: 'attached' })
  const chosen = await page
    .getByRole('checkbox', { checked: true })
    .evaluateAll((boxes) => boxes.map((box) => box.closest('label')?.textContent ?? ''))
  expect(chosen).toEqual([expect.stringContaining('SOL')])
  await page.context().close()
})

test('the page of a coin that is not traded here says so', async () => {
  const page = await product.open('/market/DOGE-USD', ada)
  await page.getByText('No such coin is traded here.').waitFor()
  await page.context().close()
})

test('a bot is compared with a level or another bot; the address keeps the choice', async () => {
  const page = await product.open(`/bot-config/${botId}`, ada)
  await page.getByRole('link', { name: 'Compare' }).click()
  const select = page.getByLabel('Compare Wide with')
  await page
    .getByText(
      pattern(
        /^Since .*, Wide (gained|lost) \d+\.\d\d% /,
        /and Conservative would have (gained|lost) \d+\.\d\d%\.$/,
      ),
    )
    .waitFor()
  await page.getByText('Hypothetical: no money moved').first().waitFor()
  expect(
    await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.includes('drawing')),
    ),
  ).toEqual([])
  await select.selectOption({ label: 'Steady' })
  await page.getByText(/^Since .* and Steady (gained|lost) \d+\.\d\d%\.$/).waitFor()
  expect(await page.getByText('Hypothetical: no money moved').count()).toBe(0)
  const { bot, other } = await ada.call('compareBot', {
    params: { id: botId },
    query: { with: new URL(page.url()).searchParams.get('with') ?? '' },
  })
  await page.getByRole('slider').press('End')
  const said = await page.getByRole('slider').getAttribute('aria-valuetext')
  const text = (percent: string) =>
    `${percent.startsWith('-') ? '' : '+'}${percent.replace('-', '−')}%`
  expect(said).toContain(`Wide ${text(bot.change)}, Steady ${text(other.change)}`)
  await page.reload()
  await page.getByText(/^Since .* and Steady (gained|lost)/).waitFor()
  await page.context().close()
})

test('while another comparison loads, no older figures appear under its name', async () => {
  const page = await product.open(`/compare/${botId}`, ada)
  const figures = page.getByRole('table')
  await figures.waitFor()
  await page.route('**/api/trading-bots/*/comparison?*', () => undefined)
  const select = page.getByLabel('Compare Wide with')
  await select.focus()
  await select.selectOption({ label: 'Steady' })
  await page.locator('[aria-busy="true"]').waitFor()
  expect([await figures.count(), await page.getByRole('slider').count()]).toEqual([0, 0])
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
  await page.context().close()
})

test('a comparison draws both lines on one scale, and a press shows both values', async () => {
  const page = await product.open(`/compare/${botId}`, ada)
  const { bot, other } = await ada.call('compareBot', { params: { id: botId } })
  const chart = page.locator('svg[viewBox="0 0 1000 400"]')
  const [grown, beside] = [bot, other].map(({ curve }) =>
    curve.map(({ percent }) => Number(percent)),
  )
  if (!grown || !beside) throw new Error('both have a curve')
  const all = [...grown, ...beside]
  const ends = (
    await chart
      .locator('path')
      .evaluateAll((paths) => paths.slice(-2).map((path) => path.getAttribute('d') ?? ''))
  ).map((path) => Number(/ ([\d.]+)$/.exec(path)?.[1]))
  const [lowest, range] = [Math.min(...all), Math.max(...all) - Math.min(...all)]
  const height = (percent = 0) =>
    range < 4
      ? (1 - (percent - (Math.min(...all) + range / 2 - 2)) / 4) * 400
      : (1 - (percent - lowest) / range) * 400
  // Allows for paths being drawn in whole units.
  expect(Math.abs((ends[0] ?? 0) - height(beside.at(-1)))).toBeLessThan(1)
  expect(Math.abs((ends[1] ?? 0) - height(grown.at(-1)))).toBeLessThan(1)
  await chart.scrollIntoViewIfNeeded()
  const box = await chart.boundingBox()
  if (!box) throw new Error('the chart is on the page')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.waitForFunction(
    () =>
      document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') !==
      document.querySelector('[role=slider]')?.getAttribute('aria-valuemax'),
  )
  const now = Number(await page.getByRole('slider').getAttribute('aria-valuenow'))
  expect(Math.abs(now / (bot.curve.length - 1) - 0.5)).toBeLessThan(0.02)
  const text = (percent = '') =>
    `${percent.startsWith('-') ? '' : '+'}${percent.replace('-', '−')}%`
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain(
    `${text(bot.curve[now]?.percent)}, ${other.name}, hypothetical, ` +
      text(other.curve[now]?.percent),
  )
  await page.context().close()
})

test('the comparison of a bot in its first hour is a box with the reason', async () => {
  const { id } = await ada.call('createBot', {
    body: {
      name: 'New',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '20',
    },
  })
  const page = await product.open(`/compare/${id}`, ada, {
    viewport: { width: 1_280, height: 800 },
    isMobile: false,
    hasTouch: false,
  })
  await page
    .locator('.hatch')
    .getByText('There is nothing to compare yet: both need a full hour of market time.')
    .waitFor()
  await page.context().close()
})
