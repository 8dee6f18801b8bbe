import type { Page } from 'playwright-core'

/** The visible words of a page, without what is closed. Figures alone are no words. */
export async function wordsShown(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText()
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word))
}
