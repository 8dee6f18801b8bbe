import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Once the control that had the focus is gone, another control on the screen has it, in the next
 * task.
 */
export async function expectFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
}
