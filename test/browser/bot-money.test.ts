import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bot } from '#contract/bots.ts'
import { forecastClosing } from '#app/bots/take-out-forecast.ts'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import { openProduct, type Product } from '../spec/product.ts'
import { createBotOwner, createRisingWorld } from '../world/small-book.ts'
import type { TestUser } from '../world/world.ts'
import { tabAndPress, tabAndType, tabTo } from './keyboard.ts'

let product: Product
let user: TestUser
let id = ''
beforeAll(async () => {
  product = await openProduct(createRisingWorld())
  ;({ user, id } = await createBotOwner(product.world, '1000'))
  await product.world.hours(48)
})
afterAll(() => product.close())

async function openBot(): Promise<Page> {
  const page = await product.open(`/bot-config/${id}`, user)
  await page.waitForFunction(() => 'isInteractive' in window)
  return page
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const line = async (page: Page, label: string): Promise<string> =>
  (await page
    .getByRole('dialog')
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .textContent()) ?? ''
const openBreakdown = (page: Page) =>
  page.getByRole('region', { name: 'Breakdown' }).getByText('Breakdown').click()
const inView = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first().waitFor()

test('users can add money by keyboard alone, and the focus returns to the button', async () => {
  const page = await openBot()
  await tabAndPress(page, 'Add money to Steady')
  await inView(page, 'Available balance: $800.00')
  await tabAndType(page, 'Amount to add', '800.01')
  await page.keyboard.press('Enter')
  await inView(page, 'Investment amount exceeds available balance')
  expect(await page.getByLabel('Amount to add').getAttribute('aria-invalid')).toBe('true')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('150.50')
  await page.keyboard.press('Enter')
  await inView(page, 'You add')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Review')
  expect(await line(page, 'Invested afterwards')).toBe('$350.50')
  await tabAndPress(page, 'Confirm and add')
  await inView(page, 'Money Added')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Add money to Steady')
  expect(await user.call('getUser')).toMatchObject({ availableBalance: '649.50' })
  await openBreakdown(page)
  await inView(page, '$350.50')
  await page.context().close()
})

test('taking out a share returns about the forecast amount', async () => {
  await product.world.serve()
  const page = await openBot()
  await button(page, 'Take money out of Steady').click()
  await button(page, '50%').click()
  const [out, cost, fee, returned] = [
    await line(page, 'You take out (approx.)'),
    await line(page, 'Selling costs (approx.)'),
    await line(page, 'Our fee on its profit'),
    await line(page, 'To your balance (approx.)'),
  ]
  const cents = (text: string) => Math.round(Number(text.replace(/[$,−]/g, '')) * 100)
  expect(fee).toMatch(/^−\$\d+\.\d\d$/)
  expect(cents(out) - cents(cost) - cents(fee)).toBe(cents(returned))
  await button(page, 'Review').click()
  await inView(page, 'You take out 50% (approx.)')
  expect(await line(page, 'To your balance (approx.)')).toBe(returned)
  const before = await user.call('getUser')
  await button(page, 'Confirm and take out 50%').click()
  await inView(page, 'Taking Money Out')
  await inView(
    page,
    'Taking out 50%: this share is being sold, then the money goes to your balance.',
  )
  expect(await button(page, 'Add money to Steady').isDisabled()).toBe(true)
  await product.world.serve()
  const after = await user.call('getUser')
  const got = cents(after.availableBalance) - cents(before.availableBalance)
  expect(got, 'no more is promised than comes').toBeGreaterThanOrEqual(cents(returned))
  expect(got).toBeLessThan(cents(returned) * 1.001)
  await page.reload()
  await openBreakdown(page)
  await inView(page, '$175.25')
  expect(await button(page, 'Take money out of Steady').isEnabled()).toBe(true)
  await page.context().close()
})

test('a retry after a lost response does not add the money twice', async () => {
  const page = await openBot()
  const before = await user.call('getUser')
  let lost = 0
  await page.route('**/top-up', async (route) => {
    lost += 1
    if (lost > 1) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await button(page, 'Add money to Steady').click()
  await page.getByLabel('Amount to add').fill('10')
  await button(page, 'Review').click()
  await button(page, 'Confirm and add').click()
  await inView(page, 'Failed to Add Money')
  await button(page, 'Confirm and add').click()
  await inView(page, 'Money Added')
  const after = await user.call('getUser')
  expect(Number(before.availableBalance) - Number(after.availableBalance)).toBeCloseTo(10, 5)
  await page.context().close()
})

test('a paused bot accepts money but returns none; offline both buttons are disabled', async () => {
  await product.world.serve()
  await user.call('updateBot', { params: { id }, body: { isActive: false } })
  const page = await openBot()
  await inView(page, 'Resume this bot first to take money out.')
  const taking = button(page, 'Take money out of Steady')
  expect(await taking.isDisabled()).toBe(true)
  expect(
    await page.locator(`[id="${await taking.getAttribute('aria-describedby')}"]`).textContent(),
  ).toBe('Resume this bot first to take money out.')
  await button(page, 'Add money to Steady').click()
  await page.getByLabel('Amount to add').fill('5')
  await button(page, 'Review').click()
  await inView(page, /waits in cash until you resume it/)
  await page.context().setOffline(true)
  await expect.poll(() => button(page, 'Confirm and add').isDisabled()).toBe(true)
  await button(page, 'Close').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await button(page, 'Add money to Steady').isDisabled()).toBe(true)
  await inView(page, "You're offline: you can't make changes until you're back online.")
  await page.context().close()
})

test('Escape closes the sheet, and a reopened sheet starts empty', async () => {
  const page = await openBot()
  await button(page, 'Add money to Steady').click()
  await page.getByLabel('Amount to add').fill('5')
  await button(page, 'Review').click()
  await button(page, 'Back').click()
  expect(await page.getByLabel('Amount to add').inputValue()).toBe('5')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await button(page, 'Add money to Steady').click()
  expect(await page.getByLabel('Amount to add').inputValue()).toBe('')
  await tabTo(page, 'Review')
  await page.context().close()
})

test('the chart shows the invested money beside the worth, as a line and in words', async () => {
  const page = await openBot()
  await page.getByText('Buy and hold', { exact: true }).first().waitFor()
  expect(await page.getByRole('slider').getAttribute('aria-label')).toMatch(
    /^Worth of the bot: .* Invested: \$[\d,]+\.\d\d\.$/,
  )
  await page.context().close()
})

/** The expected sentence: costs, fees and proceeds of closing these bots. */
function sentenceFor(bots: readonly Bot[]): string {
  const forecasts = bots.map((bot) =>
    forecastClosing(bot, totalCostBps(product.world.context.costs)),
  )
  const sum = (name: 'cost' | 'fee' | 'returned') =>
    `$${sumOf(...forecasts.map((one) => one[name]))}`
  return (
    `Each bot sells its coins at market price. Selling costs about ${sum('cost')}, our fee is ` +
    `about ${sum('fee')}, and about ${sum('returned')} returns to your balance. Losses become ` +
    'final.'
  )
}

test('the dialog that stops all bots states their total costs and fee', async () => {
  const investor = await product.world.user()
  await investor.deposit('1000')
  for (const name of ['One', 'Two']) {
    await investor.call('createBot', {
      body: { name, riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount: '200' },
    })
  }
  const stopAll = async (): Promise<[page: Page, told: string]> => {
    const page = await product.open('/bot-config', investor)
    await page.waitForFunction(() => 'isInteractive' in window)
    await button(page, 'Stop all bots').click()
    return [
      page,
      (await page.getByRole('alertdialog').locator('[id$="-reason"]').textContent()) ?? '',
    ]
  }
  const [early, nothingDue] = await stopAll()
  expect(nothingDue).toBe(sentenceFor(await investor.call('listBots')))
  await early.context().close()
  await product.world.hours(48)
  const bots = await investor.call('listBots')
  expect(bots.every(({ closingFee }) => decimalToUnits(closingFee) > 0n)).toBe(true)
  const [page, due] = await stopAll()
  expect(due).toBe(sentenceFor(bots))
  await page.context().close()
})

test.each([360, 390])(
  'the buttons that move money have one line of text at %i px',
  async (width) => {
    const page = await product.open(`/bot-config/${id}`, user, { viewport: { width, height: 800 } })
    for (const name of ['Add money to Steady', 'Take money out of Steady'])
      expect((await button(page, name).boundingBox())?.height).toBe(52)
    await page.context().close()
  },
)
