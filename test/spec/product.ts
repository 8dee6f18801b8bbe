import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { screenAt } from '#contract/screens.ts'
import { buildApp } from '#server/pages/build-app.ts'
import { openServer } from '#server/server.ts'
import { launchBrowser, PHONE } from '../browser/chromium.ts'
import { createWorld, type TestUser, type World } from '../world/world.ts'

/**
 * The product as users see it: its server on a port, and a real browser of a phone's size. Market
 * time passes only when a row advances it.
 */
export type Product = {
  world: World
  url: string
  /** Opens a page with its own cookies, as `user` or without a session. */
  open: (path: string, user?: TestUser, options?: OpenOptions) => Promise<Page>
  close: () => Promise<void>
}

export type OpenOptions = BrowserContextOptions & {
  /** Set-up before the page loads. */
  before?: (page: Page) => Promise<unknown>
  /**
   * True for pages that are used before their scripts run. Without `before`, all others are
   * returned once they handle events themselves.
   */
  isEarly?: boolean
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export async function openProduct(
  creating: Promise<World> = createWorld(),
  serving: Promise<string> = builtApp(),
): Promise<Product> {
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

/**
 * Two test files may build at once: if this fails, a retry finds the app that the other one built.
 */
export async function builtApp(): Promise<string> {
  const build = () => buildApp({ root: ROOT, log: { info: () => undefined } })
  return build().catch(build)
}

type Opening = OpenOptions & {
  browser: Browser
  url: string
  path: string
  user: TestUser | undefined
}

/**
 * Service workers are blocked unless a row is about them: their responses cannot be intercepted.
 */
async function openPage({
  browser,
  url,
  path,
  user,
  before,
  isEarly = false,
  ...options
}: Opening): Promise<Page> {
  const context = await browser.newContext({
    ...PHONE,
    deviceScaleFactor: 1,
    baseURL: url,
    reducedMotion: 'reduce',
    colorScheme: 'light',
    serviceWorkers: 'block',
    ...options,
  })
  const [name, value] = user?.cookie.split('=') ?? []
  if (name !== undefined && value !== undefined) await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  await noteInteractive(page)
  await before?.(page)
  if (!isEarly && before === undefined && options.javaScriptEnabled !== false)
    waitAfterLoads(page, Boolean(user))
  await page.goto(path)
  return page
}

/**
 * A page of a context that no product opened. As on pages of a product, `goto` and `reload` return
 * once it handles events itself.
 */
export async function newReadyPage(
  context: BrowserContext,
  { isSignedIn }: { isSignedIn: boolean },
): Promise<Page> {
  const page = await context.newPage()
  await noteInteractive(page)
  waitAfterLoads(page, isSignedIn)
  return page
}

/**
 * Makes `goto` and `reload` wait until the app handles events, because earlier presses are stored
 * for only three seconds, which a busy machine exceeds. Not for a screen that is not shown to this
 * user, which never becomes interactive.
 */
function waitAfterLoads(page: Page, isSignedIn: boolean): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  const settled = async () => {
    if (screenAt(new URL(page.url()).pathname, isSignedIn) !== undefined)
      await waitUntilInteractive(page)
  }
  page.goto = async (...request) => {
    const answer = await goto(...request)
    await settled()
    return answer
  }
  page.reload = async (...request) => {
    const answer = await reload(...request)
    await settled()
    return answer
  }
}

/** From now on, each opened page sets `window.isInteractive` once it handles events itself. */
export const noteInteractive = (opened: Page | BrowserContext) =>
  opened.addInitScript(() =>
    document.addEventListener('interactive', () => Object.assign(window, { isInteractive: true })),
  )

export const isInteractive = (page: Page) => page.evaluate(() => 'isInteractive' in window)

/**
 * Waits until the page handles events itself. Earlier presses are replayed a moment later, earlier
 * pointer moves are not.
 */
export const waitUntilInteractive = (page: Page) =>
  page.waitForFunction(() => 'isInteractive' in window)
