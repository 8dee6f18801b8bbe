import type { Page, Request } from 'playwright-core'

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

function nameOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`
}
