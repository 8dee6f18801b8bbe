import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runPlans } from '#server/bots/run-plans.ts'
import { openProduct, type Product } from '../spec/product.ts'
import { createBotOwner, createRisingWorld } from '../world/small-book.ts'
import type { TestUser } from '../world/world.ts'
import { expectFocus } from './expect-focus.ts'
import { tabAndPress } from './keyboard.ts'

let product: Product
let user: TestUser
let id = ''
beforeAll(async () => {
  product = await openProduct(createRisingWorld())
  const settings = { tradingPairs: ['BTC/USDT'] }
  ;({ user, id } = await createBotOwner(product.world, '1000', settings))
  await product.world.hours(2)
})
afterAll(() => product.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const inView = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first().waitFor()

async function openSheet(): Promise<Page> {
  const page = await product.open(`/bot-config/${id}`, user)
  await page.waitForFunction(() => 'isInteractive' in window)
  await button(page, 'Actions for Steady').click()
  await page.getByRole('menuitem', { name: 'Edit Steady' }).click()
  await page.getByRole('dialog', { name: 'Edit bot' }).waitFor()
  return page
}

test('users can change pairs and risk level of a running bot, and see what it costs', async () => {
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
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Review')
  const lines = await sheet.locator('dl > div').allTextContents()
  expect(lines.map((line) => line.replace(/\$[\d.]+/, '$'))).toEqual([
    'Money that moves (approx.)$',
    'Selling costs (approx.)−$',
    'Buying costs if there is a trend (approx., at most)−$',
    'Our fee$',
  ])
  const costs = lines.slice(1, 3).map((shown) => Number(/\$([\d.]+)/.exec(shown)?.[1]))
  expect(costs[1]).toBeCloseTo(0.34, 1)
  expect(costs[0], 'only coins are sold').toBeLessThanOrEqual(costs[1] ?? 0)
  await tabAndPress(page, 'Confirm and change')
  await inView(page, 'Changing Bot')
  await sheet.waitFor({ state: 'detached' })
  await expectFocus(page)
  await inView(page, 'Changing: its money moves to the coins and risk level that you chose.')
  expect(await button(page, 'Add money to Steady').isDisabled()).toBe(true)
  await button(page, 'Actions for Steady').click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Pause Steady')
  const menu = page.getByRole('menu', { name: 'Actions for Steady' })
  const why = page
    .locator('[popover]')
    .getByText('Changing: its money moves')
    .filter({ visible: true })
  for (const action of [
    'Pause Steady',
    'Add money to Steady',
    'Take money out of Steady',
    'Edit Steady',
  ]) {
    const item = menu.getByRole('menuitem', { name: action })
    expect([action, await item.isDisabled()]).toEqual([action, true])
    expect((await item.getAttribute('aria-describedby'))?.split(' ')).toContain(
      await why.getAttribute('id'),
    )
  }
  await page.keyboard.press('Escape')
  expect(await user.call('listBots')).toMatchObject([
    { riskLevel: 'aggressive', tradingPairs: ['XRP/USDT'], isChanging: true },
  ])
  for (let round = 0; round < 4; round += 1) await product.world.serve()
  // The event stream updates the open screen.
  await expect.poll(() => button(page, 'Add money to Steady').isEnabled()).toBe(true)
  expect(await page.getByText('Changing: its money moves').count()).toBe(0)
  await page.context().close()
})

test('users can give a bot a plan, see its next date, change it and end it', async () => {
  const saver = await product.world.user()
  await saver.deposit('500')
  const { id: saved } = await saver.call('createBot', {
    body: {
      name: 'Nest egg',
      strategy: 'hold',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '200',
    },
  })
  await product.world.serve()
  const page = await product.open(`/bot-config/${saved}`, saver)
  const section = page.getByRole('region', { name: 'Plan' })
  const linesOf = async () =>
    (await section.locator('dl > div').allTextContents()).map((line) =>
      line.replace(/^(Next time).*/, '$1'),
    )
  await button(page, 'Add regularly').click()
  const sheet = page.getByRole('dialog', { name: 'Add regularly' })
  await sheet.getByRole('button', { name: 'Start plan' }).click()
  await inView(page, 'Please enter a valid investment amount')
  await sheet.getByLabel('Amount each time').fill('1,000.00')
  await sheet.getByRole('button', { name: 'Now' }).click()
  await sheet.getByRole('button', { name: 'Start plan' }).click()
  await inView(page, 'Investment amount exceeds available balance')
  await sheet.getByLabel('Amount each time').fill('100')
  await sheet.getByRole('button', { name: 'Every week' }).click()
  await sheet.getByLabel('Return everything above this worth').fill('1,000')
  await sheet.getByRole('button', { name: 'Start plan' }).click()
  await inView(page, 'Plan Started')
  await sheet.waitFor({ state: 'detached' })
  await expect
    .poll(linesOf)
    .toEqual(['Every week$100.00', 'Next time', 'Returns everything above$1,000.00'])
  await runPlans(product.world.context)
  await product.world.serve()
  // The event stream updates the open screen.
  await expect
    .poll(() => page.locator('dl > div').filter({ hasText: 'Invested' }).first().textContent())
    .toBe('Invested$300.00')
  await button(page, 'Edit plan').click()
  const edit = page.getByRole('dialog', { name: 'Edit plan' })
  expect(await edit.getByLabel('Amount each time').inputValue()).toBe('100.00')
  await edit.getByLabel('Amount each time').fill('40')
  await edit.getByLabel('Return everything above this worth').fill('')
  await edit.getByRole('button', { name: 'Save plan' }).click()
  await inView(page, 'Plan Saved')
  await expect.poll(linesOf).toEqual(['Every week$40.00', 'Next time'])
  await button(page, 'Edit plan').click()
  await edit.getByRole('button', { name: 'End plan' }).click()
  await inView(page, 'Plan Ended')
  await button(page, 'Add regularly').waitFor()
  expect((await saver.call('listBots'))[0]?.plan).toBe(null)
  await page.context().close()
})

test('users can set guards, see one stop the bot, and resume it', async () => {
  const careful = await product.world.user()
  await careful.deposit('500')
  const { id: guarded } = await careful.call('createBot', {
    body: {
      name: 'Careful',
      strategy: 'hold',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '200',
    },
  })
  await product.world.serve()
  const page = await product.open(`/bot-config/${guarded}`, careful)
  const section = page.getByRole('region', { name: 'Guards' })
  await section.getByText('No loss limit').waitFor()
  await button(page, 'Set guards of Careful').click()
  const sheet = page.getByRole('dialog', { name: 'Guards' })
  for (const typed of ['0', '1e1', '91', '5.5', 'much']) {
    await sheet.getByLabel('Stop at a loss of').fill(typed)
    await sheet.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => sheet.getByLabel('Stop at a loss of').getAttribute('aria-invalid'), {
        message: typed,
      })
      .toBe('true')
  }
  await sheet.getByLabel('Stop at a loss of').fill('20')
  await sheet.getByRole('button', { name: 'Its high' }).click()
  await sheet.getByLabel('Take profit at a gain of').fill('1')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await inView(page, 'Guards Saved')
  await sheet.waitFor({ state: 'detached' })
  await expect
    .poll(() => section.getByRole('listitem').allTextContents())
    .toEqual([
      expect.stringMatching(/^Stops at 20% below its highAt \$.+ below its worth now\.$/),
      expect.stringMatching(/^Takes profit at a gain of 1%At \$202\.00: .+ above its worth now\.$/),
    ])
  for (
    let hour = 0;
    hour < 40 && (await careful.call('listBots'))[0]?.status !== 'stopped';
    hour += 1
  )
    await product.world.hours(1)
  // The event stream updates the open screen.
  await page.getByText(/^Stopped by its take profit at \+\d/).waitFor()
  await inView(page, 'All its money is in cash. It waits until you resume it.')
  await button(page, 'Actions for Careful').click()
  await page.getByRole('menuitem', { name: /^Resume Careful/ }).click()
  await page.getByText(/^Stopped by its take profit/).waitFor({ state: 'detached' })
  await page.context().close()
})
