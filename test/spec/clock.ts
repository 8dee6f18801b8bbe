import type { Check } from './checks.ts'
import { waitUntilInteractive } from './product.ts'

/**
 * Stops the time of the page: it passes only when a row advances it. An open page first becomes
 * interactive, which takes time.
 */
export const stopClock: Check = async (page) => {
  if (page.url() !== 'about:blank') await waitUntilInteractive(page)
  await page.clock.install()
  await pauseClock(page)
}

/** Pauses an installed clock. */
export const pauseClock: Check = async (page) =>
  page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)

export const pass =
  (milliseconds: number): Check =>
  (page) =>
    page.clock.runFor(milliseconds)
