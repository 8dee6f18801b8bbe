import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A step on a page, or an expectation of it, which throws unless it holds. Rows combine checks. */
export type Check = (page: Page) => Promise<unknown>

/** One after the other. */
export const steps =
  (...checks: readonly Check[]): Check =>
  async (page) => {
    for (const check of checks) await check(page)
  }

/** Waits until `read` returns `expected`. */
export async function becomes<Value>(
  read: () => Value | Promise<Value>,
  expected: Value,
): Promise<void> {
  await expect.poll(read).toEqual(expected)
}

/** Compares immediately, without waiting. */
export function equals(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
}

export type Words = string | RegExp

const isExact = (words: Words) => ({ exact: typeof words === 'string' })

const seen = (find: (page: Page) => Locator): Check => {
  return (page) => find(page).locator('visible=true').first().waitFor()
}

export const text = (words: Words): Check => seen((page) => page.getByText(words, isExact(words)))
export const heading = (name: string): Check =>
  seen((page) => page.getByRole('heading', { name, exact: true }))
export const button = (name: Words): Check =>
  seen((page) => page.getByRole('button', { name, ...isExact(name) }))
export const menuItem = (name: string): Check =>
  seen((page) => page.getByRole('menuitem', { name, exact: true }))
export const dialog = (name: string): Check =>
  seen((page) => page.getByRole('dialog', { name, exact: true }))
export const tab = (name: string): Check =>
  seen((page) => page.getByRole('tab', { name, exact: true }))
export const inRegion = (name: string, words: Words): Check =>
  seen((page) => page.getByRole('region', { name }).getByText(words, isExact(words)))

/** A link with this name and target. */
export const link = (name: Words, href: string): Check =>
  seen((page) =>
    page.getByRole('link', { name, ...isExact(name) }).and(page.locator(`[href="${href}"]`)),
  )

/** A field with this label and these attributes. */
export const field =
  (label: string, attributes: Record<string, string> = {}): Check =>
  async (page) => {
    const input = page.getByLabel(label, { exact: true })
    await input.waitFor()
    for (const [name, value] of Object.entries(attributes))
      equals([name, await input.getAttribute(name)], [name, value])
  }

export const holds =
  (label: string, value: string): Check =>
  (page) =>
    becomes(() => page.getByLabel(label, { exact: true }).inputValue(), value)

export const absent =
  (words: Words): Check =>
  (page) =>
    becomes(() => page.getByText(words, isExact(words)).locator('visible=true').count(), 0)

export const disabled =
  (name: Words): Check =>
  (page) =>
    becomes(() => isOff(page.getByRole('button', { name, ...isExact(name) })), true)
export const enabled =
  (name: Words): Check =>
  (page) =>
    becomes(() => isOff(page.getByRole('button', { name, ...isExact(name) })), false)

async function isOff(locator: Locator): Promise<boolean> {
  return (await locator.isDisabled()) || (await locator.getAttribute('aria-disabled')) === 'true'
}

/** Checks that the page is not reloaded during the check. */
export const withoutLoading =
  (check: Check): Check =>
  async (page) => {
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await check(page)
    equals(await page.evaluate(() => 'isSamePage' in window), true)
  }

/** The page is at this path. */
export const at =
  (path: string): Check =>
  (page) =>
    page.waitForURL((url) => url.pathname === path)

export const goTo =
  (path: string): Check =>
  (page) =>
    page.goto(path)
export const press =
  (name: Words): Check =>
  (page) =>
    page
      .getByRole('button', { name, ...isExact(name) })
      .first()
      .click()
export const pressItem =
  (name: string): Check =>
  (page) =>
    page.getByRole('menuitem', { name, exact: true }).click()
export const follow =
  (name: Words): Check =>
  (page) =>
    page
      .getByRole('link', { name, ...isExact(name) })
      .first()
      .click()
export const chooseTab =
  (name: string): Check =>
  (page) =>
    page.getByRole('tab', { name, exact: true }).click()
export const key =
  (name: string): Check =>
  (page) =>
    page.keyboard.press(name)

export const fill =
  (fields: Record<string, string>): Check =>
  async (page) => {
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value)
  }

/** Follows a link to its target, then returns to the page. */
export const leads =
  (name: Words, href: string): Check =>
  async (page) => {
    const from = page.url()
    await steps(link(name, href), follow(name), at(href))(page)
    await page.goto(from)
  }
