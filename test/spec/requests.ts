import type { Page, Request } from 'playwright-core'
import type { Check } from './checks.ts'

/** A call that the product itself never makes. */
const LAST = 'HEAD /api/config'

/** The next request of this method and path, as 'POST /api/chat/help'. */
export function asked(page: Page, call: string): Promise<Request> {
  return page.waitForRequest((request) => nameOf(request) === call)
}

/** Records every request from now on, as 'GET /api/auth/user'. */
export function listen(page: Page): string[] {
  const heard: string[] = []
  page.on('request', (request) => heard.push(nameOf(request)))
  return heard
}

/**
 * Request events arrive later than changes of the page: waits until those of all requests so far
 * have arrived.
 */
export async function caughtUp(page: Page): Promise<void> {
  const last = asked(page, LAST)
  await page.evaluate(() => fetch('/api/config', { method: 'HEAD' }))
  await last
}

/**
 * Every request that `taking` makes, as 'GET /api/auth/user', but for code that the app loads
 * meanwhile.
 */
export async function requestsOf(page: Page, taking: Check): Promise<string[]> {
  const heard = listen(page)
  await taking(page)
  await caughtUp(page)
  return heard.filter((call) => call !== LAST && !isScript(call))
}

/** Its method and path, as 'GET /api/auth/user'. */
export function nameOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`
}

/**
 * True for a file of the app's own code. One of them, which stores answers, is loaded a second
 * after the first screen.
 */
export function isScript(call: string): boolean {
  return /^GET \/assets\/[^/]+\.js$/.test(call)
}
