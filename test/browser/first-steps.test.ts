import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const card = (page: Page) => page.getByRole('region', { name: 'Three steps to your first trade' })
const currentStep = (page: Page) => card(page).locator('[aria-current=step]')
const steps = async (page: Page) => ({
  now: (await currentStep(page).textContent())?.slice(0, 16),
  done: await card(page).getByRole('img', { name: 'Done' }).count(),
})
/** Buttons and links in the accent color: what the screen suggests first. */
const suggested = (page: Page) =>
  page.locator('main').locator('a.bg-accent, button.bg-accent').allTextContents()

async function openHome(user: TestUser): Promise<Page> {
  const page = await product.open('/', user)
  return page
}

/** A bot on a pair without a trend at this moment, found by the bots of another user. */
async function createWaitingBot(user: TestUser): Promise<string> {
  const scout = await product.world.user()
  await scout.deposit('500')
  const bot = { name: 'Patient', riskLevel: 'moderate', investmentAmount: '50' }
  for (const pair of product.world.context.feed.pairs) {
    const { doing } = await scout.call('createBot', {
      body: { ...bot, tradingPairs: [pair], investmentAmount: '10' },
    })
    if (doing?.startsWith('In cash.'))
      return (await user.call('createBot', { body: { ...bot, tradingPairs: [pair] } })).id
  }
  throw new Error('every pair has a trend')
}

test('a newcomer is led to the first trade: add money, pick a risk, watch', async () => {
  const user = await product.world.user()
  const page = await openHome(user)
  await card(page).waitFor()
  expect(await steps(page)).toEqual({ now: '1Add paper money', done: 0 })
  expect(await page.getByText('Your balance chart').count(), 'there is no chart of nothing').toBe(0)
  expect(await suggested(page)).toEqual(['Add paper money'])

  await user.deposit('500')
  await expect.poll(() => steps(page)).toEqual({ now: '2Pick a riskChoo', done: 1 })
  expect(await suggested(page)).toEqual(['Pick a risk'])
  expect(await card(page).getByRole('link', { name: 'Pick a risk' }).getAttribute('href')).toBe(
    '/bot-config/new',
  )
  await page.getByText('Your balance chart will start here.').waitFor()

  const id = await createWaitingBot(user)
  await expect.poll(() => steps(page)).toEqual({ now: '3Watch it tradeI', done: 2 })
  expect(await currentStep(page).textContent()).toContain('In cash. Buys ')
  await page
    .getByRole('region', { name: 'Active Trading Bots' })
    .getByText(/^In cash. Buys \w+ above \$[\d.,]+\.$/)
    .waitFor()
  expect(await card(page).getByRole('link').getAttribute('href')).toBe(`/bot-config/${id}`)

  for (let day = 0; day < 90 && (await user.call('getPortfolio')).firstStep !== null; day += 1)
    await product.world.hours(24)
  expect((await user.call('listBotTrades', { params: { id } })).count).toBeGreaterThan(0)
  await expect.poll(() => card(page).count()).toBe(0)
  await page.context().close()
})

test('the last step can be dismissed: it does not return, and the focus is kept', async () => {
  const user = await product.world.user()
  await user.deposit('900')
  await createWaitingBot(user)
  const page = await openHome(user)
  await card(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => card(page).count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await page.reload()
  expect(await card(page).count()).toBe(0)
  await page.context().close()
})

test('a user whose bots have traded and who took everything out is no newcomer', async () => {
  const user = await product.world.user()
  await user.deposit('100')
  await user.call('createBot', {
    body: {
      name: 'Wide',
      riskLevel: 'aggressive',
      tradingPairs: [...product.world.context.feed.pairs],
      investmentAmount: '100',
    },
  })
  for (let day = 0; day < 60 && (await user.call('getPortfolio')).firstStep !== null; day += 1)
    await product.world.hours(24)
  await user.call('stopAll')
  await product.world.serve()
  expect(await user.call('getPortfolio')).toMatchObject({ bots: [], firstStep: null })
})
