import type { Page } from 'playwright-core'

/** The words of a page as it stands, without closed doors. Figures alone are no words. */
export async function wordsShown(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText()
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word))
}
