import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { at, becomes, button, equals, goTo, press, steps, text, type Check } from './checks.ts'
import { builtApp, openProduct, type OpenOptions, type Product } from './product.ts'
import { screen } from './rows.ts'
import { destructive, toast, toasts } from './toasts.ts'

let product: Product
let folder = ''
beforeAll(async () => {
  product = await openProduct(undefined, copyOfApp())
})
afterAll(async () => {
  await product.close()
  await rm(folder, { recursive: true })
})

/** A copy of the app, whose worker rows can replace by a newer one. */
async function copyOfApp(): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), 'spec-app-'))
  await cp(await builtApp(), folder, { recursive: true })
  // Removed, because the compressed copy would be served instead of the newer worker.
  await rm(join(folder, 'sw.js.br'), { force: true })
  return folder
}

type Answer = 'accepted' | 'dismissed' | 'broken'

/**
 * Dispatches the install event of other browsers: a headless browser offers no installation by
 * itself.
 */
function offering(answer: Answer): (page: Page) => Promise<unknown> {
  return (page) =>
    page.addInitScript((outcome) => {
      window.addEventListener('DOMContentLoaded', () => {
        const prompt = () =>
          outcome === 'broken' ? Promise.reject(new Error('no')) : Promise.resolve({ outcome })
        window.dispatchEvent(
          Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }),
        )
      })
    }, answer)
}

const openHome = async (options: OpenOptions = {}) =>
  product.open('/', await product.world.user(), options)
const card = (page: Page) => page.getByRole('complementary', { name: 'Install the app' })
const hasCard: Check = (page) => card(page).waitFor()
/** The layer of the installable app has loaded, without a card. */
const hasNoCard: Check = async (page) => {
  await page.locator('body > .contents').waitFor({ state: 'attached' })
  await becomes(() => card(page).count(), 0)
}
const inCard =
  (words: string): Check =>
  (page) =>
    card(page).getByText(words, { exact: true }).waitFor()
const accept: Check = (page) => card(page).getByRole('button', { name: 'Install' }).click()
const installed: Check = (page) =>
  page.evaluate(() => window.dispatchEvent(new Event('appinstalled')))
const DISMISSED_AT = 'install-dismissed-at'
const dismissedBefore =
  (milliseconds: number): Check =>
  async (page) => {
    await page.evaluate(
      ([key, ago]) => localStorage.setItem(key, new Date(Date.now() - ago).toISOString()),
      [DISMISSED_AT, milliseconds] as const,
    )
    await page.reload()
  }
const SEVEN_DAYS_MS = 7 * 24 * 3_600_000

screen(() => openHome(), {
  '4 Install': {
    'without an offer of the browser there is no card': hasNoCard,
  },
})

screen(() => openHome({ before: offering('accepted') }), {
  '2 Install card': {
    'it appears when the browser offers an installation': hasCard,
    'it stands fixed at the bottom': async (page) => {
      equals(await card(page).evaluate((element) => getComputedStyle(element).position), 'fixed')
    },
    'it is not a route': at('/'),
  },
  '8 Successes': {
    "'Installing App...': 'The app will be available on your device shortly.'": steps(
      accept,
      toast('Installing App...', 'The app will be available on your device shortly.'),
    ),
    "'App Installed Successfully!': 'Trading Bot is now available on your device.'": steps(
      installed,
      toast('App Installed Successfully!', 'Trading Bot is now available on your device.'),
    ),
  },
  '4 Install': {
    "after the browser's installed event the card is hidden": steps(
      goTo('/'),
      hasCard,
      installed,
      hasNoCard,
    ),
    'dismissed, it is hidden': steps(goTo('/'), hasCard, press('Not now'), hasNoCard),
    'the dismissal is stored with a timestamp': async (page) => {
      const stored = await page.evaluate((key) => localStorage.getItem(key), DISMISSED_AT)
      equals(new Date(stored ?? '').toISOString(), stored)
    },
    'after a reload it is still hidden': steps(goTo('/'), hasNoCard),
  },
  '9 Install': {
    'a minute before 7 days have passed it is hidden (decision 24)': steps(
      dismissedBefore(SEVEN_DAYS_MS - 60_000),
      hasNoCard,
    ),
    'after 7 days it is shown again (decision 24)': steps(dismissedBefore(SEVEN_DAYS_MS), hasCard),
  },
})

screen(() => openHome({ before: offering('broken') }), {
  '8 Errors': {
    "Installation Failed: 'There was an error installing the app. Please try again.'": steps(
      hasCard,
      accept,
      destructive(
        'Installation Failed',
        'There was an error installing the app. Please try again.',
      ),
    ),
  },
})

screen(() => openHome({ before: offering('dismissed') }), {
  '4 Install': {
    "no to the browser's own question counts as a dismissal": steps(
      hasCard,
      accept,
      hasNoCard,
      goTo('/'),
      hasNoCard,
    ),
  },
})

/** Imitates the display mode of an app that was opened from the home screen. */
const standalone = (page: Page) =>
  page.addInitScript(() => {
    const ask = window.matchMedia.bind(window)
    window.matchMedia = (query) => ask(query.includes('display-mode: standalone') ? 'all' : query)
  })

screen(
  () =>
    openHome({
      before: async (page) => [await offering('accepted')(page), await standalone(page)],
    }),
  {
    '4 Install': {
      'in standalone display mode the app is installed: no card': hasNoCard,
    },
  },
)

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
  'Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

screen(() => openHome({ userAgent: IPHONE }), {
  '2 Install card, iOS': {
    'a hint how to add the app to the home screen (decision 24)': inCard(
      'Tap Share, then “Add to Home Screen”.',
    ),
  },
})

/** Waits until the worker controls the page, then serves a newer one. */
const release: Check = async (page) => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await appendFile(join(folder, 'sw.js'), '\n// A newer version.\n')
  await page.evaluate(
    async () => void (await (await navigator.serviceWorker.getRegistration())?.update()),
  )
}

let loads = 0

async function openWithWorker(): Promise<Page> {
  return openHome({
    serviceWorkers: 'allow',
    before: async (page) => page.on('load', () => (loads += 1)),
  })
}

screen(openWithWorker, {
  '7 Worker': {
    'GET /sw.js: a background worker script': async (page) => {
      const answer = await page.request.get('/sw.js')
      equals(
        [answer.status(), answer.headers()['content-type']?.split(';')[0]],
        [200, 'application/javascript'],
      )
    },
  },
  '1 Installation': {
    'a background worker is registered from /sw.js at load': async (page) => {
      const script = await page.evaluate(
        async () => (await navigator.serviceWorker.ready).active?.scriptURL ?? '',
      )
      equals(new URL(script).pathname, '/sw.js')
    },
    'a manifest makes it installable': async (page) => {
      const path = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? ''
      equals(
        ((await (await page.request.get(path)).json()) as { display: string }).display,
        'standalone',
      )
    },
  },
  '2 Banners': {
    "update banner 'New version available!'": steps(release, text('New version available!')),
    "with an 'Update Now' button": button('Update Now'),
  },
  '4 App update': {
    'flagged when a new worker has installed while an old one still controls the page': async (
      page,
    ) => {
      const state = () =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state)
      await becomes(state, 'installed')
    },
    'applying it tells the waiting worker to skip waiting': async (page) => {
      loads = 0
      await press('Update Now')(page)
      await becomes(() => loads, 1)
      const waiting = () =>
        page.evaluate(
          async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null,
        )
      await becomes(waiting, null)
    },
    'and reloads the page, once': steps(text('Welcome back, Ada'), () => becomes(() => loads, 1)),
  },
})

const logged: string[] = []

/** A browser in which registering the worker fails. */
async function refuseWorker(page: Page): Promise<void> {
  page.on('console', (message) => logged.push(message.text()))
  await page.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new TypeError('refused'))
  })
}

screen(() => openHome({ serviceWorkers: 'allow', before: refuseWorker }), {
  '8 Worker': {
    'a registration that fails is logged': () =>
      becomes(
        () => logged.some((line) => line.includes('The service worker could not be registered.')),
        true,
      ),
    'and not shown to the user': (page) => becomes(() => toasts(page).count(), 0),
  },
})
