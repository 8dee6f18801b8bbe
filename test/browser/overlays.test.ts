import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { toasts } from '../spec/toasts.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('500')
  await ada.addBankAccount()
  await ada.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '100',
    },
  })
})
afterAll(() => product.close())

async function openAt(path: string): Promise<Page> {
  const page = await product.open(path, ada)
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** Presses an action in the bot's menu. */
async function act(page: Page, name: string): Promise<void> {
  await button(page, 'Actions for Steady').click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

const sheet = (page: Page) => page.getByRole('dialog')
const question = (page: Page) => page.getByRole('alertdialog')
const gone = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' })
const pathOf = (page: Page) => new URL(page.url()).pathname
const focusedName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName,
  )
/** Our own steps through the history are asynchronous. */
const overlaysHere = (page: Page) =>
  page.evaluate(() => (history.state as { overlays?: number } | null)?.overlays ?? 0)

/** Home's sheet, with another screen before Home in the history. */
async function openReceipt(): Promise<Page> {
  const page = await openAt('/profile')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('Welcome back, Ada').waitFor()
  await button(page, 'Balance breakdown').click()
  await sheet(page).waitFor()
  await expect.poll(() => overlaysHere(page)).toBe(1)
  return page
}

describe('Back', () => {
  test('closes a sheet first, and then leaves the screen', async () => {
    const page = await openReceipt()
    await page.goBack()
    await gone(page)
    expect([pathOf(page), await focusedName(page)]).toEqual(['/', 'Balance breakdown'])
    await page.goBack()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.context().close()
  })

  test('twice at once closes the sheet and leaves the screen', async () => {
    const page = await openReceipt()
    await page.evaluate(() => {
      history.back()
      history.back()
    })
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await gone(page)
    await page.context().close()
  })

  test.each([
    { way: 'the close button', close: (page: Page) => button(page, 'Close').click() },
    { way: 'Escape', close: (page: Page) => page.keyboard.press('Escape') },
    { way: 'a tap beside it', close: (page: Page) => page.mouse.click(190, 20) },
  ])('leaves the screen at once if the sheet was closed by $way', async ({ close }) => {
    const page = await openReceipt()
    await close(page)
    await gone(page)
    await expect.poll(() => overlaysHere(page)).toBe(0)
    expect(await focusedName(page)).toBe('Balance breakdown')
    await page.goBack()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.context().close()
  })

  test('closes a dialog with the answer No', async () => {
    const page = await openAt('/bot-config')
    await act(page, 'Delete Steady')
    await question(page).waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Keep bot')
    await expect.poll(() => overlaysHere(page)).toBe(1)
    await page.goBack()
    await gone(page)
    await page.getByText('Steady').first().waitFor()
    expect([pathOf(page), await focusedName(page)]).toEqual(['/bot-config', 'Actions for Steady'])
    await page.context().close()
  })

  test('Back after a reload with an open sheet leaves the screen', async () => {
    const page = await openReceipt()
    await page.reload()
    await expect.poll(() => overlaysHere(page)).toBe(0)
    await page.goBack()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.context().close()
  })

  test('Back cannot be undone by Forward: the sheet stays closed', async () => {
    const page = await openReceipt()
    await page.keyboard.press('Escape')
    await expect.poll(() => overlaysHere(page)).toBe(0)
    await page.evaluate(() => history.forward())
    await expect.poll(() => overlaysHere(page)).toBe(0)
    await page.goBack()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.context().close()
  })
})

test('a sheet keeps the rest of the page inert and still', async () => {
  const page = await openReceipt()
  await page.mouse.move(190, 20)
  await page.mouse.wheel(0, 400)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect(await page.locator('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(true)
  const meetsDialog = (link: Element) => {
    const { x, y, width, height } = link.getBoundingClientRect()
    return Boolean(document.elementFromPoint(x + width / 2, y + height / 2)?.closest('dialog'))
  }
  expect(await page.locator('nav a[href="/help"]').evaluate(meetsDialog)).toBe(true)
  await page.context().close()
})

/** Sheets whose contents are loaded: the screen, the way to them, and the call. */
const LOADED: Record<string, [path: string, open: (page: Page) => Promise<void>, call: string]> = {
  'The last 30 days, replayed': [
    '/bot-config',
    (page) => act(page, 'Simulate trade with Steady'),
    '**/api/simulate-bot-trade/*',
  ],
  'Sign-in history': [
    '/profile',
    (page) => button(page, 'Sign-in history').click(),
    '**/api/auth/sign-ins',
  ],
  Receipt: [
    '/history',
    (page) => page.getByRole('listitem').getByRole('button').first().click(),
    '**/api/transactions/*',
  ],
  'Help article': [
    '/',
    (page) =>
      page
        .getByRole('button', { name: /^Simulated market/ })
        .first()
        .click(),
    '**/api/help/articles?*',
  ],
}

test.each(Object.entries(LOADED))(
  'the close button of the sheet %s does not move when the contents arrive',
  async (_title, [path, open, call]) => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1_280, height: 800 },
    ]) {
      const page = await openAt(path)
      await page.setViewportSize(viewport)
      let held: Route | undefined
      await page.route(call, (route) => {
        held = route
      })
      await open(page)
      const place = () => sheet(page).getByRole('button', { name: 'Close' }).boundingBox()
      const isLoading = () => sheet(page).locator('[class*=animate-breathe]').count()
      await expect.poll(isLoading).toBe(1)
      await expect.poll(() => held).toBeDefined()
      const before = await place()
      await held?.continue()
      await expect.poll(isLoading).toBe(0)
      expect(await place()).toEqual(before)
      await page.context().close()
    }
  },
)

describe('a toast', () => {
  async function openWithToast(): Promise<Page> {
    const page = await openAt('/bot-config')
    await act(page, 'Simulate trade with Steady')
    await sheet(page).waitFor()
    await toasts(page).getByText('Trading Session Complete').waitFor()
    return page
  }

  test('a toast in a sheet is part of it, and one Escape closes the sheet', async () => {
    const page = await openWithToast()
    expect(
      await sheet(page).getByText('Trading Session Complete').count(),
      'within the dialog, which is not inert',
    ).toBe(1)
    await page.keyboard.press('Escape')
    await gone(page)
    await page.context().close()
  })

  test('covers neither the title nor the tabs', async () => {
    const page = await openWithToast()
    await page.keyboard.press('Escape')
    await gone(page)
    const [shown, tabs, title] = await Promise.all([
      toasts(page).boundingBox(),
      page.getByRole('navigation').boundingBox(),
      page.getByRole('heading', { level: 1 }).boundingBox(),
    ])
    expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(tabs?.y ?? 0)
    expect(shown?.y ?? 0).toBeGreaterThan((title?.y ?? 0) + (title?.height ?? 0))
    await page.setViewportSize({ width: 1_280, height: 800 })
    const aside = await toasts(page).boundingBox()
    expect([(aside?.x ?? 0) > 800, (aside?.y ?? 0) > 500]).toEqual([true, true])
    await page.context().close()
  })

  test('a toast without a sheet is dismissed by Escape', async () => {
    const page = await openWithToast()
    await page.keyboard.press('Escape')
    await gone(page)
    await toasts(page).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => toasts(page).count()).toBe(0)
    await page.context().close()
  })
})
