import type { Check } from './checks.ts'
import { waitUntilInteractive } from './product.ts'

/** From here on no time passes in the page, unless a row lets it pass. A page that is already open becomes interactive first, which takes time. */
export const stopClock: Check = async (page) => {
  if (page.url() !== 'about:blank') await waitUntilInteractive(page)
  await page.clock.install()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
}

export const pass = (milliseconds: number): Check => (page) => page.clock.runFor(milliseconds)
