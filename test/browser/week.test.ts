import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupBy } from '#core/group-by.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'
import { moneyText } from '#words/figures.ts'
import { pattern } from '../world/pattern.ts'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
let id = ''
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  const body = {
    name: 'Nest egg',
    strategy: 'hold',
    tradingPairs: ['BTC/USDT', 'ETH/USDT'],
    investmentAmount: '500',
  }
  id = (await ada.call('createBot', { body })).id
  await product.world.hours(24)
  await ada.call('takeOutOfBot', { params: { id }, body: { percent: 40 } })
  await product.world.hours(2)
})
afterAll(() => product.close())

const cards = async (page: Page) => {
  const items = page.getByRole('main').getByRole('listitem')
  await items.first().waitFor()
  return items.allTextContents()
}
const signed = (amount: string) => moneyText({ amount, sign: 'always' })

test('Home leads to five cards with the figures of the answer', async () => {
  const page = await product.open('/', ada)
  await page.getByRole('link', { name: 'Your week' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your week' }).waitFor()
  const { result, best, worst, tradingFees, holding } = await ada.call('getWeek')
  const [first, ...others] = await cards(page)
  expect(first).toContain(signed(result))
  expect(others).toEqual([
    expect.stringContaining(signed(best?.profit ?? '')),
    expect.stringContaining(signed(worst?.profit ?? '')),
    expect.stringContaining(moneyText({ amount: tradingFees })),
    expect.stringContaining(signed(holding ?? '')),
  ])
  const sentence = await page
    .getByText(/^(Bought|Sold) /)
    .first()
    .textContent()
  expect(sentence).toMatch(/^(Bought|Sold) (BTC|ETH)/)
  expect(sentence).toContain(signed(result))
  await page.getByText(/^From Day 1, .* to Day 2, /).waitFor()
  await page.getByText('Paper money').first().waitFor()
  await page
    .getByRole('link', { name: /^Sold / })
    .first()
    .click()
  await page.getByRole('dialog').getByText('Exact figures and ledger lines').waitFor()
  await page.context().close()
})

test('cards in a row have equal sizes; without trades a card states that', async () => {
  const page = await product.open('/week', ada, { viewport: { width: 1_280, height: 800 } })
  await cards(page)
  const heights = await page
    .getByRole('main')
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => [item.getBoundingClientRect().top, item.clientHeight] as const),
    )
  expect(heights).toHaveLength(5)
  for (const row of groupBy(heights, ([top]) => String(top)).values())
    expect(new Set(row.map(([, height]) => height)).size).toBe(1)
  await page.context().close()
  const newcomer = await product.open('/week', await product.world.user())
  await newcomer.getByText('No trades, no change.').waitFor()
  expect(await newcomer.getByText('No sale in these days.').count()).toBe(2)
  await newcomer.getByText('No money was in bots.').waitFor()
  await newcomer.context().close()
})

test('Home reports the first trade, then the past day, then the first week', async () => {
  const bob = await product.world.user()
  await bob.deposit('1000')
  const body = { name: 'Kept', strategy: 'hold', tradingPairs: ['BTC/USDT'] }
  await bob.call('createBot', { body: { ...body, investmentAmount: '500' } })
  const sentenceAfter = async (hours: number, begin: RegExp) => {
    await product.world.hours(hours)
    const page = await product.open('/', bob)
    const sentence = page.getByRole('region', { name: 'Total Balance' }).getByText(begin)
    const text = await sentence.textContent()
    await page.getByRole('button', { name: 'Hide balance' }).click()
    await expect.poll(() => sentence.textContent()).not.toMatch(/\$\d/)
    await page.context().close()
    return text
  }
  await sentenceAfter(2, /^First trade: bought BTC\. /)
  await sentenceAfter(30, /^No trades\. /)
  const text = await sentenceAfter(7 * 24 - 31, /^First week: /)
  const { firstPeriod } = await bob.call('getBalanceCurve', { query: { range: '1M' } })
  expect(text).toContain(signed(firstPeriod?.result ?? ''))
})

test('after thirty days, each month has its result in percent', async () => {
  await product.world.hours(24 * 30)
  const page = await product.open('/week', ada)
  const months = page.getByRole('region', { name: 'Every 30 days' }).getByRole('listitem')
  await expect.poll(() => months.count()).toBe(2)
  const shown = (await ada.call('getWeek')).months.map(
    ({ percent }) => `${percent.replace('-', '')}%`,
  )
  expect(await months.allTextContents()).toEqual([
    expect.stringMatching(pattern(/^Day 1\D*/, new RegExp(shown[0] ?? ''))),
    expect.stringMatching(pattern(/^Day 31\D*/, new RegExp(shown[1] ?? ''))),
  ])
  await page.context().close()
})

test("a bot's breakdown lists its months, once it has two", async () => {
  const { id: young } = await ada.call('createBot', {
    body: {
      name: 'Young',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '10',
    },
  })
  const page = await product.open(`/bot-config/${id}`, ada)
  const months = page.getByRole('region', { name: 'Every 30 days' })
  await page.getByText('Table', { exact: true }).waitFor()
  expect(await months.isVisible(), 'behind a door').toBe(false)
  await page.getByText('Breakdown', { exact: true }).click()
  await months.getByText(/, so far$/).waitFor()
  const performance = await ada.call('getBotPerformance', { params: { id: id } })
  const shown = performance.months.map(({ result, putIn }) =>
    percentOf({ part: decimalToUnits(result), whole: decimalToUnits(putIn) }).replace('-', ''),
  )
  expect(shown.length).toBeGreaterThanOrEqual(2)
  const texts = await months.getByRole('listitem').allTextContents()
  expect(texts).toEqual(shown.map((percent) => expect.stringContaining(`${percent}%`)))
  await page.goto(`/bot-config/${young}`)
  await page.getByText('Breakdown', { exact: true }).click()
  await page.getByText('Our fee if you closed now').waitFor()
  expect(await months.count()).toBe(0)
  await page.context().close()
})
