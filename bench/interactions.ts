import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { required } from '#core/assert.ts'

/** Browsers report no interaction that took less: such a one counts as this long. */
const SHORTEST_MS = 16

type Watched = { interactions: Map<number, number>; signMs?: number }

/**
 * Records the time of each interaction from the input to the next paint, as Interaction to Next
 * Paint counts it. Call it before the page loads.
 */
export async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const interactions = new Map<number, number>()
    Object.assign(window, { interactions })
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries() as (PerformanceEntry & {
        interactionId: number
      })[]) {
        if (interactionId > 0)
          interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
}

/** The milliseconds of the interaction that `act` is, by the browser's clock: rounded to 8 ms. */
export async function interactionMs(page: Page, act: () => Promise<void>): Promise<number> {
  await settle(page)
  await page.evaluate(() => (window as unknown as Watched).interactions.clear())
  await act()
  await settle(page)
  const seen = await page.evaluate(() => [...(window as unknown as Watched).interactions.values()])
  return Math.max(SHORTEST_MS, ...seen)
}

/** Waits until what is under way has been painted and reported. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 200))),
      ),
  )
}

/**
 * A finger's tap in the middle of `target`. Playwright's own would first run code in the page,
 * which slows down the answer.
 */
export async function tap(page: Page, target: Locator): Promise<void> {
  const { x, y } = await middleOf(target)
  await page.touchscreen.tap(x, y)
}

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  await target.waitFor()
  await target.evaluate((element) =>
    element.scrollIntoView({ block: 'center', behavior: 'instant' }),
  )
  await delay(100)
  const { x, y, width, height } = required(await target.boundingBox(), 'the target is in sight')
  return { x: x + width / 2, y: y + height / 2 }
}

/**
 * Records how long after a press the page has painted the sign that the press is kept. Call it
 * before the page loads.
 */
export async function watchSign(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let pressedMs = Number.NaN
    window.addEventListener('pointerdown', ({ timeStamp }) => (pressedMs = timeStamp), {
      capture: true,
      once: true,
    })
    const painted = () =>
      requestAnimationFrame(() =>
        setTimeout(() => Object.assign(window, { signMs: performance.now() - pressedMs })),
      )
    new MutationObserver(painted).observe(document, {
      subtree: true,
      attributes: true,
      attributeFilter: ['data-waiting'],
    })
  })
}

/** The milliseconds until that sign. */
export async function signMs(page: Page): Promise<number> {
  await page.waitForFunction(() => 'signMs' in window)
  return page.evaluate(() => (window as unknown as Watched).signMs ?? Number.NaN)
}
