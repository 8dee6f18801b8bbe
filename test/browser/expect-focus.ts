import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Checks that after the focused control disappeared, another control on the screen has the focus,
 * in the next task.
 */
export async function expectFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
}
