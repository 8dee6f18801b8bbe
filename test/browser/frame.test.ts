import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world.ts'

const DESK = { viewport: { width: 1_280, height: 800 }, isMobile: false, hasTouch: false } as const

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
}, 120_000)
afterAll(() => product.close())

const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

describe('the tabs are a rail from 768 px', () => {
  test.each([
    { width: 390, place: { x: 0, width: 390 }, isRail: false },
    { width: 768, place: { x: 0, width: 96 }, isRail: true },
    { width: 1_280, place: { x: 0, width: 224 }, isRail: true },
  ])('at $width px', async ({ width, place, isRail }) => {
    const page = await product.open('/', ada, { ...DESK, viewport: { width, height: 800 } })
    const [rail, main] = [await boxOf(page, 'nav'), await boxOf(page, 'main')]
    expect(rail).toMatchObject(place)
    expect([rail.height, rail.y + rail.height]).toEqual([isRail ? 800 : expect.closeTo(61, 0), 800])
    expect(main.x).toBeGreaterThanOrEqual(isRail ? place.width : 0)
    expect(await nav(page).getByRole('link').allInnerTexts()).toEqual(['Home', 'Bots', 'History', 'Help', 'Profile'])
    await page.context().close()
  })

  test('a task has no tabs on a phone, and the rail on a desktop', async () => {
    const page = await product.open('/deposit', ada)
    await page.getByRole('heading', { name: 'Deposit Funds' }).waitFor()
    expect(await nav(page).count()).toBe(0)
    await page.setViewportSize(DESK.viewport)
    await nav(page).waitFor()
    const main = await boxOf(page, 'main')
    expect([main.width, main.x + main.width / 2]).toEqual([480, expect.closeTo((224 + 1_280) / 2, -1)])
    await page.context().close()
  })

  test('the evidence keeps the tabs', async () => {
    const page = await product.open('/evidence', ada)
    await nav(page).getByRole('link', { name: 'Home' }).click()
    await page.getByText('Welcome back, Ada').waitFor()
    await page.context().close()
  })
})

test('the first stop of a screen skips the navigation, and adds nothing to the history', async () => {
  const page = await product.open('/history', ada)
  await page.getByRole('heading', { name: 'Transaction History' }).waitFor()
  await page.waitForFunction(() => 'isInteractive' in window)
  const before = await page.evaluate(() => history.length)
  await page.keyboard.press('Tab')
  expect((await boxOf(page, 'a[href="#content"]')).y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('All')
  expect(await page.evaluate(() => [location.hash, history.length])).toEqual(['', before])
  await page.context().close()
})

test('a control that takes the focus by keyboard is not under the tabs', async () => {
  const page = await product.open('/profile', ada)
  await page.getByRole('heading', { name: 'Appearance' }).waitFor()
  await page.waitForFunction(() => 'isInteractive' in window)
  const covered: string[] = []
  for (let stop = 0; stop < 25; stop += 1) {
    await page.keyboard.press('Tab')
    covered.push(...(await page.evaluate(coveredStop)))
  }
  expect(covered).toEqual([])
  await page.context().close()
})

/** Runs in the page: the focused control if it overlaps the tabs. */
function coveredStop(): string[] {
  const focused = document.activeElement
  const tabs = document.querySelector('nav')
  if (!focused || !tabs || tabs.contains(focused) || focused === document.body) return []
  return focused.getBoundingClientRect().bottom > tabs.getBoundingClientRect().top ? [focused.textContent] : []
}
