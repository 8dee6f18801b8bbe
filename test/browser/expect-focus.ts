import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * After the control that had the focus is gone, it is somewhere on the screen again, in the next
 * task.
 */
export async function expectFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
}
