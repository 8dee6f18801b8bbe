import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResponseOf } from '#contract/calls.ts'
import { routes } from '#contract/routes.ts'
import { openProduct, type Product } from '../spec/product.ts'
import { createRisingWorld } from '../world/small-book.ts'
import type { TestUser } from '../world/world.ts'

/** CSS pixels, the least height of a target. */
const LEAST_HEIGHT = 48

const FORECAST: ResponseOf<'getBotForecast'> = {
  isInCash: false,
  nextDay: { low: '-2.10', high: '2.30', falls: [], rises: [], rests: false },
}

let product: Product
let ada: TestUser
let botId = ''
beforeAll(async () => {
  product = await openProduct(createRisingWorld())
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  const body = {
    name: 'Steady',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '200',
  }
  botId = (await ada.call('createBot', { body })).id
  await product.world.hours(2)
})
afterAll(() => product.close())

const openReceipt = (page: Page) =>
  page.getByRole('listitem').getByRole('button', { name: /BTC/ }).first().click()

test.each([
  ['Paper money', '/', 'What does this stamp mean?', 'No withdrawal reaches a bank.'],
  ['Price trends', 'the bot', 'What is a trend?', /It ends when the price closes below a stop/],
  ['invested', 'the bot', 'What does "invested" mean?', /^The share of the money/],
  ['swings', '/bot-config/new', 'What are swings?', /^A higher level may hold more coins/],
  ['Trading fee', '/history', 'What is the trading fee?', /^The trading venue keeps/],
] as const)('%s on %s opens a sentence and a picture', async (word, path, title, sentence) => {
  const page = await product.open(path === 'the bot' ? `/bot-config/${botId}` : path, ada)
  await page.route(`**${routes.getBotForecast.path}*`, (route) => route.fulfill({ json: FORECAST }))
  if (path === '/history') await openReceipt(page)
  if (word === 'swings') await page.getByText('Guards, plan, fee').click()
  const button = page.getByRole('button', { name: word, exact: true })
  await button.waitFor()
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(LEAST_HEIGHT)
  await button.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: title })
  await sheet.getByText(sentence).waitFor()
  expect(await sheet.locator('svg[viewBox="0 0 320 112"]').isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Space')
  await sheet.waitFor()
  await page.context().close()
})
