import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  await ada.addBankAccount()
  await ada.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'SOL/USDT'],
      investmentAmount: '100',
    },
  })
  await product.world.hours(72)
})
afterAll(() => product.close())

/** An action, and what shows that it is done. */
type Step = { act: (page: Page) => Promise<unknown>; done: (page: Page) => Promise<unknown> }

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const press = (name: string | RegExp) => (page: Page) => button(page, name).click()
const inDialog = (name: string | RegExp) => (page: Page) =>
  page
    .locator('dialog')
    .getByRole('button', { name, exact: typeof name === 'string' })
    .click()
const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, exact: true }).first().waitFor()
const text = (words: string | RegExp) => (page: Page) =>
  page.getByText(words).filter({ visible: true }).first().waitFor()
const dialog = (page: Page) => page.locator('dialog[open]').first().waitFor()
const noDialog = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' })
const escape = (page: Page) => page.keyboard.press('Escape')
const fill = (label: string, words: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill(words)
const chosen = (name: string) => (page: Page) =>
  page.getByRole('tab', { name, exact: true, selected: true }).waitFor()

/** Opens a sheet and closes it by Escape. */
const sheet = (open: Step['act']): Step[] => [
  { act: open, done: dialog },
  { act: escape, done: noDialog },
]

const menu =
  (name: string): Step['act'] =>
  async (page) => {
    await press('Actions for Steady')(page)
    await page.getByRole('menuitem', { name }).click()
  }

async function payCard(page: Page): Promise<void> {
  await fill('Card number', '4242424242424242')(page)
  await fill('Expiry', '1234')(page)
  await fill('CVC', '123')(page)
  await press('Deposit $100.00')(page)
}

const WAYS: Record<string, { path: string; steps: Step[] }> = {
  'a deposit': {
    path: '/deposit',
    steps: [
      { act: press('$100'), done: (page) => page.locator('button[aria-pressed=true]').waitFor() },
      { act: press('Continue'), done: heading('Complete Payment') },
      { act: press('Change amount'), done: heading('Choose Amount') },
      { act: press('Continue'), done: heading('Complete Payment') },
      { act: payCard, done: dialog },
      { act: inDialog('Close'), done: noDialog },
    ],
  },
  'a withdrawal': {
    path: '/withdraw',
    steps: [
      ...sheet(press('Change')),
      { act: press('25%'), done: (page) => page.locator('button[aria-pressed=true]').waitFor() },
      { act: press('Request Withdrawal'), done: heading('You withdraw') },
      { act: press(/^Confirm/), done: dialog },
      { act: inDialog('Close'), done: noDialog },
    ],
  },
  'a new bot': {
    path: '/bot-config/new',
    steps: [
      { act: press('All 12'), done: heading(/^Your Moderate bot on BTC, ETH \+ 10/) },
      {
        act: (page) => page.getByText('Guards, plan, fee').click(),
        done: (page) => page.getByRole('button', { name: 'Details' }).waitFor(),
      },
      ...sheet(press('Details')),
      { act: press('Create Trading Bot'), done: text('Bot Created') },
    ],
  },
  'the list of bots': {
    path: '/bot-config',
    steps: [
      ...sheet(menu('Simulate trade with Steady')),
      ...sheet(menu('Rename Steady')),
      ...sheet(menu('Add money to Steady')),
      ...sheet(menu('Delete Steady')),
      ...sheet(press('Stop all bots')),
      { act: menu('Pause Steady'), done: text('paused') },
    ],
  },
  'the history': {
    path: '/history',
    steps: [
      { act: press('More filters'), done: text('From') },
      { act: (page) => page.getByRole('tab', { name: 'Trades' }).click(), done: chosen('Trades') },
      { act: (page) => page.getByRole('tab', { name: 'All' }).click(), done: chosen('All') },
      ...sheet((page) => page.getByText('Card deposit').first().click()),
      { act: fill('Search', 'no such row'), done: text('Nothing matches') },
      { act: press('Clear filters'), done: text('Card deposit') },
    ],
  },
  'the profile': {
    path: '/profile',
    steps: [
      ...sheet(press('Change password')),
      ...sheet(press('Edit name')),
      {
        act: press('Dark'),
        done: (page) => page.locator('button[aria-pressed=true]', { hasText: 'Dark' }).waitFor(),
      },
      { act: press(/^End (?!all)/), done: dialog },
      { act: inDialog('Sign out'), done: text('Session ended') },
      { act: press('End all other sessions'), done: dialog },
      { act: inDialog('Sign out'), done: text('Sessions ended') },
    ],
  },
  home: {
    path: '/',
    steps: [
      ...sheet(press('Balance breakdown')),
      { act: press('Hide balance'), done: text('Balance hidden') },
      {
        act: press('Show balance'),
        done: (page) => page.getByText('Balance hidden').waitFor({ state: 'detached' }),
      },
    ],
  },
  'the help': {
    path: '/help',
    steps: [
      {
        act: press('What does it cost?'),
        done: (page) => page.getByRole('log').getByRole('button').first().waitFor(),
      },
      ...sheet((page) => page.getByRole('log').getByRole('button').first().click()),
    ],
  },
}

test.each(Object.keys(WAYS))('the focus is never lost while going through %s', async (name) => {
  const way = WAYS[name]
  if (!way) return
  const { path, steps } = way
  if (path === '/profile') await signInElsewhere()
  const page = await product.open(path, ada)
  for (const [place, { act, done }] of steps.entries()) {
    await act(page)
    await done(page)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.tagName), {
        message: `after step ${place + 1}`,
      })
      .not.toBe('BODY')
  }
  await page.context().close()
})

/** Signs the user in on other devices. */
async function signInElsewhere(): Promise<void> {
  for (const agent of ['One', 'Two', 'Three']) {
    const payload = { username: ada.username, password: 'correct horse battery' }
    await product.world.app.inject({
      method: 'POST',
      url: routes.login.path,
      payload,
      headers: { 'sec-fetch-site': 'same-origin', 'user-agent': agent },
    })
  }
}
