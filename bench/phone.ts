import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { PHONE } from '../test/browser/chromium.ts'

/** A phone whose browser is signed in. Without service workers, every request is the page's own. */
export async function openPhone(
  browser: Browser,
  { url, cookie }: { url: string; cookie: string },
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const [name = '', value = ''] = cookie.split('=')
  const context = await browser.newContext({
    ...PHONE,
    baseURL: url,
    serviceWorkers: 'block',
    ...options,
  })
  await context.addCookies([{ name, value, url }])
  return context
}
