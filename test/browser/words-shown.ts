import type { Page } from 'playwright-core'

/**
 * The words of a page as it stands, without closed doors and without texts for screen readers
 * alone. Figures alone are no words.
 */
export async function wordsShown(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => {
    const spoken = [...document.querySelectorAll<HTMLElement>('.sr-only')]
    for (const { style } of spoken) style.display = 'none'
    const shown = document.body.innerText
    for (const { style } of spoken) style.display = ''
    return shown
  })
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word))
}
