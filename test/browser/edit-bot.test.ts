import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { createRisingWorld } from '../small-book.ts'
import type { TestUser } from '../world.ts'
import { tabAndPress } from './keyboard.ts'

const TIMEOUT_MS = 60_000

let product: Product
let user: TestUser
let id = ''
beforeAll(async () => {
  product = await openProduct(createRisingWorld())
  user = await product.world.user()
  await user.deposit('1000')
  id = (await user.call('createBot', { body: { name: 'Steady', riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount: '200' } })).id
  await product.world.hours(2)
}, 120_000)
afterAll(() => product.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const inView = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()

async function openSheet(): Promise<Page> {
  const page = await product.open(`/bot-config/${id}`, user)
  page.setDefaultTimeout(15_000)
  await page.waitForFunction(() => 'isInteractive' in window)
  await button(page, 'Actions for Steady').click()
  await button(page, 'Edit Steady').click()
  await page.getByRole('dialog', { name: 'Edit bot' }).waitFor()
  return page
}

test('users can change the pairs and the risk level of a running bot, and see what it costs before', { timeout: TIMEOUT_MS }, async () => {
  const page = await openSheet()
  const sheet = page.getByRole('dialog', { name: 'Edit bot' })
  await button(page, 'Review').click()
  await inView(page, 'Choose other pairs or another risk level.')
  await sheet.getByRole('checkbox', { name: /BTC/ }).uncheck({ force: true })
  await button(page, 'Review').click()
  await inView(page, 'Please select at least one trading pair')
  await sheet.getByRole('checkbox', { name: /XRP/ }).check({ force: true })
  await sheet.getByText('Aggressive', { exact: true }).click()
  await button(page, 'Review').click()
  await inView(page, 'Steady will trade')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Review')
  const lines = await sheet.locator('dl > div').allTextContents()
  expect(lines.map((line) => line.replace(/\$[\d.]+/, '$'))).toEqual(['Money that moves, about$', 'Trading costs, up to about−$', 'Our fee$'])
  expect(Number(/\$([\d.]+)/.exec(lines[1] ?? '')?.[1])).toBeCloseTo(0.68, 1)
  await tabAndPress(page, 'Confirm and change')
  await inView(page, 'Changing Bot')
  await sheet.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  await inView(page, 'Changing: its money moves to the coins and risk level that you chose.')
  expect(await button(page, 'Add money to Steady').isDisabled()).toBe(true)
  await button(page, 'Actions for Steady').click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Simulate trade with Steady')
  const why = page.getByRole('dialog', { name: 'Actions for Steady' }).getByText('Changing: its money moves')
  for (const action of ['Pause Steady', 'Add money to Steady', 'Take money out of Steady', 'Edit Steady']) {
    const item = page.getByRole('dialog').getByRole('button', { name: action })
    expect([action, await item.isDisabled(), await item.getAttribute('aria-describedby')]).toEqual([action, true, await why.getAttribute('id')])
  }
  await page.keyboard.press('Escape')
  expect(await user.call('listBots')).toMatchObject([{ riskLevel: 'aggressive', tradingPairs: ['XRP/USDT'], isChanging: true }])
  for (let round = 0; round < 4; round += 1) await product.world.serve()
  // The event stream tells the open screen.
  await expect.poll(() => button(page, 'Add money to Steady').isEnabled(), { timeout: 15_000 }).toBe(true)
  expect(await page.getByText('Changing: its money moves').count()).toBe(0)
  await page.context().close()
})
