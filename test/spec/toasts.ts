import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { colourOf, LOSS } from './colours.ts'
import { becomes, type Check } from './checks.ts'

export function toasts(page: Page): Locator {
  return page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
}

/**
 * A toast with this title and, if given, this description. It is then dismissed, so that the next
 * row sees only its own.
 */
export const toast =
  (title: string, description?: string | RegExp): Check =>
  (page) =>
    seeToast(page, { title, description, isDestructive: false })

/** Like `toast`, in the color of an error. */
export const destructive =
  (title: string, description?: string | RegExp): Check =>
  (page) =>
    seeToast(page, { title, description, isDestructive: true })

type Expected = { title: string; description: string | RegExp | undefined; isDestructive: boolean }

async function seeToast(page: Page, expected: Expected): Promise<void> {
  const shown = await shownToast(page, expected)
  await shown.getByRole('button', { name: 'Dismiss' }).click()
  await becomes(() => toasts(page).count(), 0)
}

/** Like `destructive`, but the toast stays. */
export const staying =
  (title: string, description: string): Check =>
  (page) =>
    shownToast(page, { title, description, isDestructive: true })

async function shownToast(
  page: Page,
  { title, description, isDestructive }: Expected,
): Promise<Locator> {
  const shown = toasts(page).filter({ has: page.getByText(title, { exact: true }) })
  await shown.waitFor()
  if (description !== undefined) await shown.getByText(description, { exact: true }).waitFor()
  const colour = await colourOf(shown.getByText(title, { exact: true }))
  expect(colour === LOSS, `whether ${colour} is the color of errors`).toBe(isDestructive)
  return shown
}
