import { afterAll, beforeAll, expect, test } from 'vitest'
import { screensFor } from '#contract/screens.ts'
import { openProduct, waitUntilInteractive, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { addressOf } from './address.ts'
import { ODD_DEVICES } from './odd-devices.ts'

let product: Product
let ada: TestUser
let botId: string
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  await ada.addBankAccount()
  const bot = await ada.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'SOL/USDT'],
      investmentAmount: '100',
    },
  })
  botId = bot.id
  await ada.call('requestWithdrawal', { body: { amount: '20' } })
  await product.world.hours(72)
})
afterAll(() => product.close())

test.each(Object.keys(ODD_DEVICES) as (keyof typeof ODD_DEVICES)[])(
  'no screen is blank on a device %s',
  async (name) => {
    for (const user of [undefined, ada]) {
      const errors: string[] = []
      const page = await product.open('/help', user, {
        before: async (opening) => {
          opening.on('pageerror', ({ message }) => errors.push(message))
          await opening.addInitScript(ODD_DEVICES[name], ada.id)
        },
      })
      for (const { path } of screensFor(user !== undefined)) {
        await page.goto(addressOf(path, botId))
        await waitUntilInteractive(page)
        await expect
          .poll(() => page.locator('#root').innerText(), { message: path })
          .toMatch(/\w{3}/)
        expect({ path, errors }).toEqual({ path, errors: [] })
      }
      await page.context().close()
    }
  },
)

test('on a first visit times are labelled UTC until the device reports its zone', async () => {
  const NEW_YORK = { timezoneId: 'America/New_York' }
  const time = /\d\d:\d\d/
  const still = await product.open('/help', undefined, { ...NEW_YORK, javaScriptEnabled: false })
  expect(await still.getByRole('log').innerText()).toMatch(new RegExp(`${time.source} UTC`))
  const page = await product.open('/help', undefined, NEW_YORK)
  await expect.poll(() => page.getByRole('log').innerText()).not.toContain('UTC')
  expect(await page.getByRole('log').innerText()).toMatch(time)
  const moved = await page.evaluate(async () => {
    const observer = new PerformanceObserver(() => undefined)
    observer.observe({ type: 'layout-shift', buffered: true })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return (observer.takeRecords() as (PerformanceEntry & { value: number })[]).reduce(
      (sum, { value }) => sum + value,
      0,
    )
  })
  expect(moved).toBeLessThan(0.01)
  for (const opened of [still, page]) await opened.context().close()
})
