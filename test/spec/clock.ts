import type { Check } from './checks.ts'

/** From here on no time passes in the page, unless a row lets it pass. */
export const stopClock: Check = async (page) => {
  await page.clock.install()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
}

export const pass = (milliseconds: number): Check => (page) => page.clock.runFor(milliseconds)
