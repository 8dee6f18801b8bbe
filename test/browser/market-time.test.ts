import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { createMarketWorld } from '../spec/market-world.ts'
import type { TestUser } from '../world/world.ts'

/** A calendar date of any year, as `useDates` prints it. */
const CALENDAR = /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d/

let product: Product
let ada: TestUser
let botId = ''
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  const body = {
    name: 'Wide',
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT'],
    investmentAmount: '600',
  }
  botId = (await ada.call('createBot', { body })).id
  for (
    let day = 0;
    day < 90 && (await ada.call('listBotTrades', { params: { id: botId } })).count === 0;
    day += 1
  )
    await product.world.hours(24)
})
afterAll(() => product.close())

test('a simulated market counts its own days: a bot shows no calendar date', async () => {
  const page = await product.open(`/bot-config/${botId}`, ada)
  const trades = page.getByRole('region', { name: 'Trades' })
  await trades
    .getByText(/^Day \d+, \d\d:00$/)
    .first()
    .waitFor()
  expect(await page.getByRole('slider').getAttribute('aria-label')).toMatch(
    / \(Day 1\) to .* \(Day \d+\), /,
  )
  const words = await page
    .locator('main')
    .evaluate(
      (main) =>
        main.textContent +
        [...main.querySelectorAll('[aria-label]')]
          .map((each) => each.getAttribute('aria-label'))
          .join(' '),
    )
  expect(words).not.toMatch(CALENDAR)
  await page.context().close()
})

/** On phones, Home names the market alone. */
const DESK = { viewport: { width: 1_280, height: 800 } }

test('the mark names the market and its speed, and a press explains them', async () => {
  const page = await product.open('/', ada, DESK)
  const mark = page.getByRole('button', {
    name: 'Simulated market · 1 second is 1 hour',
    exact: true,
  })
  await mark.getByText('1 s = 1 h', { exact: true }).waitFor()
  await mark.click()
  await page
    .getByRole('dialog', { name: 'What is the simulated market?' })
    .getByText(/"Day 12, 14:00" is the afternoon of its twelfth day/)
    .waitFor()
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('Simulated market · ')
  await page.context().close()
})

test('a recorded market keeps the dates of its recording', async () => {
  const recorded = await openProduct(
    createMarketWorld((hoursBeforeNow) => (hoursBeforeNow > 500 ? 10 : -10)),
  )
  const user = await recorded.world.user()
  await user.deposit('100')
  await user.call('createBot', {
    body: {
      name: 'Calm',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '50',
    },
  })
  await recorded.world.hours(72)
  const page = await recorded.open('/', user, DESK)
  expect(await page.getByRole('slider').getAttribute('aria-label')).toMatch(
    / \(Mar 1, 2024\) to .* \(Mar 4, 2024\)/,
  )
  await page.getByRole('button', { name: 'Recorded market · 1 second is 1 hour' }).waitFor()
  await recorded.close()
})
