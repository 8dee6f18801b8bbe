import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { createMarketWorld } from '../spec/market-world.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
let id = ''
/** The price rises slowly, so that the result is soon less than the trading fees below zero. */
beforeAll(async () => {
  product = await openProduct(createMarketWorld(() => 10))
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  const body = {
    name: 'Kept',
    strategy: 'hold',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '500',
  }
  id = (await ada.call('createBot', { body })).id
  for (let hour = 0; hour < 20 && !(await isWithinFees()); hour += 1) await product.world.hours(1)
})
afterAll(() => product.close())

async function isWithinFees(): Promise<boolean> {
  const { bot, venueFees } = await ada.call('getBotPerformance', { params: { id } })
  return Number(bot.totalProfit) < 0 && -Number(bot.totalProfit) <= Number(venueFees)
}

const lineOf = (page: Page) =>
  page
    .locator('p', { has: page.locator('bdi > .sr-only') })
    .filter({ visible: true })
    .first()

test.each(['/', 'bot'])(
  'on %s, a loss up to the first fees is ink and names them',
  async (path) => {
    const { bot, venueFees } = await ada.call('getBotPerformance', { params: { id } })
    const page = await product.open(path === '/' ? path : `/bot-config/${id}`, ada)
    const line = lineOf(page)
    await line.getByText(`$${venueFees} trading fees so far`).waitFor()
    expect(await line.textContent()).toContain(bot.totalProfit.replace('-', '\u2212$'))
    expect(await line.locator('bdi.text-ink').count()).toBe(1)
    expect(await line.locator('.text-loss').count()).toBe(0)
    await page.context().close()
  },
)

test('hidden amounts hide the fees too; in German they are Gebühren', async () => {
  const page = await product.open('/', ada)
  await page.getByRole('button', { name: 'Hide balance' }).click()
  await page.goto(`/bot-config/${id}`)
  await expect.poll(() => lineOf(page).textContent()).toMatch(/• ?trading fees so far$/)
  expect(await lineOf(page).textContent()).not.toMatch(/\d\.\d\d trading/)
  await page.context().close()
  const german = await product.open('/', ada, { locale: 'de-DE' })
  await expect.poll(() => lineOf(german).textContent()).toMatch(/\s\$ Gebühren bisher$/)
  await german.context().close()
})
