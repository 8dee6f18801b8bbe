import { chromium, type Browser } from 'playwright-core'
import { watchPages } from './open-pages.ts'
import { CHROMIUM, CHROMIUM_FLAGS, setup } from './unpack-chromium.ts'

/** The phone that the product is primarily designed for. */
export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
} as const

/** Maximum wait for a page. Long, because a slow page on a busy machine is no failure. */
const PATIENCE_MS = 180_000

/** A headless Chromium. `debuggingPort` lets tools other than Playwright control it. */
export async function launchBrowser({
  debuggingPort,
}: { debuggingPort?: number } = {}): Promise<Browser> {
  await setup()
  const args =
    debuggingPort === undefined
      ? CHROMIUM_FLAGS
      : [...CHROMIUM_FLAGS, `--remote-debugging-port=${debuggingPort}`]
  const browser = await chromium.launch({ executablePath: CHROMIUM, args, headless: true })
  return browser.on('context', (context) => {
    context.setDefaultTimeout(PATIENCE_MS)
    watchPages(context)
  })
}
