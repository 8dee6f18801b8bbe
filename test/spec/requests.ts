import type { Page, Request } from 'playwright-core'
import { becomes, type Check } from './checks.ts'

/** The next request of this method and path, as 'POST /api/chat/help'. */
export function asked(page: Page, call: string): Promise<Request> {
  return page.waitForRequest((request) => nameOf(request) === call)
}

/** Every request from now on, as 'GET /api/auth/user'. */
export function listen(page: Page): string[] {
  const heard: string[] = []
  page.on('request', (request) => heard.push(nameOf(request)))
  return heard
}

/**
 * Every request that `taking` makes, as 'GET /api/auth/user', when the page has made them all: one of our own comes last, and what comes
 * before it has been heard by then.
 */
export async function requestsOf(page: Page, taking: Check): Promise<string[]> {
  const heard = listen(page)
  await taking(page)
  await page.evaluate(() => fetch('/api/config'))
  await becomes(() => heard.at(-1), 'GET /api/config')
  return heard.slice(0, -1)
}

function nameOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`
}
