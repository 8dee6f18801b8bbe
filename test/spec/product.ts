import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { buildApp } from '#server/pages/build-app.ts'
import { openServer } from '#server/server.ts'
import { launchBrowser, PHONE } from '../browser/chromium.ts'
import { createWorld, type TestUser, type World } from '../world.ts'

/** The product as people meet it: its server on a port, and a real browser of a phone's size. Time on the market passes when a row says so. */
export type Product = {
  world: World
  url: string
  /** A page of its own, with its own cookies, as `user` or as somebody without a session. */
  open: (path: string, user?: TestUser, options?: OpenOptions) => Promise<Page>
  close: () => Promise<void>
}

export type OpenOptions = BrowserContextOptions & {
  /** What must be in place before the page loads. */
  before?: (page: Page) => Promise<unknown>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export async function openProduct(creating: Promise<World> = createWorld(), serving: Promise<string> = builtApp()): Promise<Product> {
  const [world, pages, browser] = await Promise.all([creating, serving, launchBrowser()])
  const server = await openServer(world.context, { pages })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    world,
    url,
    open: (path, user, options) => openPage({ browser, url, path, user, ...options }),
    close: async () => {
      await browser.close()
      await server.close()
      await world.close()
    },
  }
}

/** Two files may build at once: who comes second finds what the first built. */
export async function builtApp(): Promise<string> {
  const build = () => buildApp({ root: ROOT, log: { info: () => undefined } })
  return build().catch(build)
}

type Opening = OpenOptions & { browser: Browser; url: string; path: string; user: TestUser | undefined }

/** The background worker stays out of the way, unless a row is about it: what it answers cannot be changed on its way. */
async function openPage({ browser, url, path, user, before, ...options }: Opening): Promise<Page> {
  const context = await browser.newContext({ ...PHONE, deviceScaleFactor: 1, baseURL: url, reducedMotion: 'reduce', colorScheme: 'light', serviceWorkers: 'block', ...options })
  const [name, value] = user?.cookie.split('=') ?? []
  if (name !== undefined && value !== undefined) await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  await page.addInitScript(() => document.addEventListener('interactive', () => Object.assign(window, { isInteractive: true })))
  await before?.(page)
  await page.goto(path)
  return page
}

export const isInteractive = (page: Page) => page.evaluate(() => 'isInteractive' in window)

/** The page answers to what people do: what they point at before is not told again, what they press is, a moment later. */
export const waitUntilInteractive = (page: Page) => page.waitForFunction(() => 'isInteractive' in window)
