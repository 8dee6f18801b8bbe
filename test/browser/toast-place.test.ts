import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { toasts } from '../spec/toasts.ts'
import type { TestUser } from '../world/world.ts'
import { createInvestor } from './investor.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await createInvestor(product.world, 'ada')
})
afterAll(() => product.close())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const fail = (page: Page, call: string) =>
  page.route(`**/api/${call}`, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )

type Step = {
  name: string
  path: string
  act: (page: Page) => Promise<unknown>
  reason: (page: Page) => Locator
}

const STEPS: readonly Step[] = [
  {
    name: 'a deposit below the minimum',
    path: '/deposit',
    act: async (page) => {
      await page.getByLabel('Custom amount').fill('5')
      await press(page, 'Continue')
    },
    reason: (page) => page.locator('form').getByText('Minimum deposit amount is $10'),
  },
  {
    name: 'a payment that could not be prepared',
    path: '/deposit',
    act: async (page) => {
      await fail(page, 'create-payment-intent')
      await page.getByLabel('Custom amount').fill('50')
      await press(page, 'Continue')
    },
    reason: (page) =>
      page.locator('form').getByText('Your card was not charged. Please try again.'),
  },
  {
    name: 'a card payment without an answer',
    path: '/deposit',
    act: async (page) => {
      await fail(page, 'sandbox/card-payments')
      await page.getByLabel('Custom amount').fill('50')
      await press(page, 'Continue')
      for (const [label, typed] of [
        ['Card number', '4242424242424242'],
        ['Expiry', '1234'],
        ['CVC', '123'],
      ] as const)
        await page.getByLabel(label).fill(typed)
      await press(page, 'Deposit $50.00')
    },
    reason: (page) =>
      page.locator('main').getByText("You won't be charged twice. Please try again."),
  },
  {
    name: 'a withdrawal above the balance',
    path: '/withdraw',
    act: async (page) => {
      await page.getByLabel('Amount', { exact: true }).fill('99999')
      await press(page, 'Request Withdrawal')
    },
    reason: (page) => page.locator('form').getByText('Withdrawal amount exceeds available balance'),
  },
  {
    name: 'a withdrawal without an answer',
    path: '/withdraw',
    act: async (page) => {
      await fail(page, 'withdrawal-requests')
      await page.getByLabel('Amount', { exact: true }).fill('25')
      await press(page, 'Request Withdrawal')
      await press(page, 'Confirm withdrawal')
    },
    reason: (page) => page.locator('main').getByText("We couldn't reach the server."),
  },
  {
    name: 'a bot without an amount',
    path: '/bot-config/new',
    act: async (page) => {
      await page.getByLabel('Investment amount').fill('')
      await press(page, 'Create Trading Bot')
    },
    reason: (page) => page.locator('form').getByText('Please enter a valid investment amount'),
  },
  {
    name: 'a bot without an answer',
    path: '/bot-config/new',
    act: async (page) => {
      await fail(page, 'trading-bots')
      await page.getByLabel('Investment amount').fill('25')
      await press(page, 'Create Trading Bot')
    },
    reason: (page) => page.locator('form').getByText('Your money is never invested twice.'),
  },
]

describe.each([
  { width: 390, height: 844 },
  { width: 360, height: 640 },
])(
  'on a phone of $width × $height px, a toast does not cover the error in the form',
  (viewport) => {
    test.each(STEPS)('$name', async ({ name, path, act, reason }) => {
      const page = await product.open(path, ada, { viewport })
      await act(page)
      await reason(page).waitFor()
      await toasts(page).waitFor()
      const isReadable = async () => {
        const [toast, text] = await Promise.all([
          toasts(page).boundingBox(),
          reason(page).boundingBox(),
        ])
        if (!toast || !text) return false
        const isCovered = text.y < toast.y + toast.height && text.y + text.height > toast.y
        return !isCovered && text.y >= 0 && text.y + text.height <= viewport.height
      }
      await expect.poll(isReadable).toBe(true)
      if (SCREENS !== undefined)
        await page.screenshot({ path: `${SCREENS}/${name} ${viewport.height}.png` })
      await page.context().close()
    })
  },
)
