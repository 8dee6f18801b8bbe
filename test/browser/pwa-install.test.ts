import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screensFor } from '#contract/screens.ts'
import { PHONE } from './chromium.ts'
import { openBuild, signUpIn, type OpenedBuild } from './served-builds.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let opened: OpenedBuild
let context: BrowserContext

beforeAll(async () => {
  opened = await openBuild()
  context = await opened.openPhone({ reducedMotion: 'reduce' })
  await signUpIn(context.request, {
    username: 'installer',
    firstName: 'Ines',
    lastName: 'Taller',
    email: 'ines@bots.example',
  })
})

afterAll(() => opened.close())

type Answer = 'accepted' | 'dismissed' | 'broken'

/**
 * A headless browser never offers installation: at DOMContentLoaded this dispatches the event that
 * other browsers send.
 */
async function offering(page: Page, answer: Answer): Promise<void> {
  await page.addInitScript((outcome) => {
    window.addEventListener('DOMContentLoaded', () => {
      const event = new Event('beforeinstallprompt', { cancelable: true })
      const prompt = () =>
        outcome === 'broken' ? Promise.reject(new Error('no')) : Promise.resolve({ outcome })
      window.dispatchEvent(Object.assign(event, { prompt }))
      document.documentElement.dataset['offerTaken'] = String(event.defaultPrevented)
    })
  }, answer)
}

const card = (page: Page) => page.getByRole('complementary', { name: 'Install the app' })

async function openOffered(answer: Answer): Promise<Page> {
  const page = await context.newPage()
  await offering(page, answer)
  await page.goto('/')
  return page
}

test('the manifest has every member, and every image has its declared size', async () => {
  const page = await context.newPage()
  await page.goto('/')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await context.request.get(address ?? '')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as Manifest
  expect(manifest).toMatchObject({
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    name: 'Trading Bot',
    short_name: 'Trading Bot',
  })
  expect(manifest.description.length).toBeGreaterThan(20)
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`).toSorted()).toEqual(
    ['192x192 any', '192x192 maskable', '512x512 any', '512x512 maskable'].toSorted(),
  )
  expect(new Set(manifest.screenshots.map(({ form_factor }) => form_factor))).toEqual(
    new Set(['narrow', 'wide']),
  )
  expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
    ['Deposit', '/deposit'],
    ['Bots', '/bot-config'],
    ['History', '/history'],
  ])
  const touchIcon = {
    src: (await page.locator('link[rel=apple-touch-icon]').getAttribute('href')) ?? '',
    sizes: '180x180',
  }
  for (const { src, sizes } of [
    ...manifest.icons,
    ...manifest.screenshots,
    ...manifest.shortcuts.flatMap(({ icons }) => icons),
    touchIcon,
  ]) {
    const size = await page.evaluate(async (path) => {
      const picture = await createImageBitmap(await (await fetch(path)).blob())
      return `${picture.width}x${picture.height}`
    }, src)
    expect(size, `the size of ${src}`).toBe(sizes)
  }
  await page.close()
})

type Picture = { src: string; sizes: string }
type Manifest = {
  description: string
  icons: (Picture & { purpose: string })[]
  screenshots: (Picture & { form_factor: string })[]
  shortcuts: { name: string; url: string; icons: Picture[] }[]
}

test("the browser finds no installability errors, and the worker's headers are right", async () => {
  const page = await context.newPage()
  const violations: string[] = []
  page.on(
    'console',
    (message) =>
      /Content Security Policy|could not be registered/i.test(message.text()) &&
      violations.push(message.text()),
  )
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  const session = await context.newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A headless window is incognito, where apps cannot be installed.
  expect(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
  ).toEqual([])
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const worker = await context.request.get('/sw.js')
  expect(worker.headers()['content-type']).toMatch(/javascript/)
  expect(worker.headers()['cache-control']).toBe('no-cache')
  expect(worker.headers()['content-security-policy']).toContain("default-src 'self'")
  expect(violations).toEqual([])
  await page.close()
})

test('a failed service worker registration is logged and not shown', async () => {
  const blocked = await opened.openPhone()
  const page = await blocked.newPage()
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.route('**/sw.js', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new TypeError('refused'))
  })
  await page.goto('/')
  await expect
    .poll(() => said.some((line) => line.includes('The service worker could not be registered.')))
    .toBe(true)
  expect(await page.getByRole('status').count()).toBe(0)
  await blocked.close()
})

test('the card is above the tabs, covers no button, and is absent where money moves', async () => {
  const page = await openOffered('accepted')
  await card(page).waitFor()
  expect(
    await page.evaluate(() => document.documentElement.dataset['offerTaken']),
    "the browser's own bar is kept away",
  ).toBe('true')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
  ).toEqual([])
  for (const viewport of [PHONE.viewport, { width: 320, height: 720 }]) {
    await page.setViewportSize(viewport)
    const [box, tabs] = await Promise.all([
      card(page).boundingBox(),
      page.getByRole('navigation', { name: 'Main' }).boundingBox(),
    ])
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((tabs?.y ?? 0) + 0.5)
    // On the smallest phones the quick actions are below the first screen.
    for (const name of viewport === PHONE.viewport
      ? ['Choose it myself', 'Deposit', 'Withdraw']
      : ['Choose it myself']) {
      const button = await page.getByRole('link', { name, exact: true }).boundingBox()
      expect(
        (button?.y ?? 1_000) + (button?.height ?? 0),
        `${name} at ${viewport.width}`,
      ).toBeLessThanOrEqual(box?.y ?? 0)
    }
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const last = await page.locator('main li').last().boundingBox()
    expect(
      (last?.y ?? 0) + (last?.height ?? 0),
      'the end of the screen can be read',
    ).toBeLessThanOrEqual(box?.y ?? 0)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0)
    await page.evaluate(() => window.scrollTo(0, 0))
    if (SCREENS !== undefined)
      await page.screenshot({ path: `${SCREENS}/pwa-install-${viewport.width}.png` })
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await card(page).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'History' }).click()
  await card(page).waitFor()
  for (const { path } of screensFor(true).filter(
    (screen) => !screen.quiet && !screen.path.includes(':'),
  )) {
    await page.goto(path)
    await page.getByRole('heading').first().waitFor()
    await page.waitForFunction(() => document.querySelector('.contents') !== null)
    expect(await card(page).count(), `cards on ${path}`).toBe(0)
  }
  await page.close()
})

test('an installation is confirmed, and an installed app is not offered again', async () => {
  const page = await openOffered('accepted')
  await card(page).getByRole('button', { name: 'Install' }).click()
  await page.getByText('Installing App...').first().waitFor()
  await page.getByText('The app will be available on your device shortly.').first().waitFor()
  await card(page).waitFor({ state: 'detached' })
  await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')))
  await page.getByText('App Installed Successfully!').first().waitFor()
  await page.getByText('Trading Bot is now available on your device.').first().waitFor()
  await page.close()
})

test('a failed installation is reported', async () => {
  const page = await openOffered('broken')
  await card(page).getByRole('button', { name: 'Install' }).click()
  await page.getByText('Installation Failed').first().waitFor()
  await page.getByText('There was an error installing the app. Please try again.').first().waitFor()
  await page.close()
})

test('an app opened from the home screen offers no installation', async () => {
  const page = await context.newPage()
  await offering(page, 'accepted')
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await page.goto('/')
  await page.waitForFunction(() => document.querySelector('.contents') !== null)
  expect(await card(page).count()).toBe(0)
  await page.close()
})

test.each(['Not now', 'Install'])(
  "dismissed with '%s', the card returns after seven days",
  async (button) => {
    const own = await opened.openPhone({ storageState: await context.storageState() })
    const page = await own.newPage()
    await offering(page, 'dismissed')
    const begin = new Date('2026-11-21T12:00:00Z')
    await page.clock.setFixedTime(begin)
    await page.goto('/')
    await card(page).getByRole('button', { name: button }).click()
    await card(page).waitFor({ state: 'detached' })
    await page.clock.setFixedTime(begin.getTime() + 7 * 86_400_000 - 1)
    await page.reload()
    await page.waitForFunction(() => document.querySelector('.contents') !== null)
    expect(await card(page).count()).toBe(0)
    await page.clock.setFixedTime(begin.getTime() + 7 * 86_400_000)
    await page.reload()
    await card(page).waitFor()
    await own.close()
  },
)

test('on an iPhone the card points to the share menu', async () => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
    'Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
  const phone = await opened.openPhone({ userAgent, storageState: await context.storageState() })
  const page = await phone.newPage()
  await page.goto('/')
  await card(page).getByText('Tap Share, then “Add to Home Screen”.').waitFor()
  expect(await card(page).getByRole('button').allTextContents()).toEqual([''])
  if (SCREENS !== undefined) await page.screenshot({ path: `${SCREENS}/pwa-install-iphone.png` })
  await phone.close()
})

test('the tab icon matches the brand icon', async () => {
  const [icon, brand] = await Promise.all(
    ['public/icon.svg', 'src/app/shell/brand.tsx'].map((name) =>
      readFile(join(import.meta.dirname, '../..', name), 'utf8'),
    ),
  )
  const lines = [...(brand ?? '').matchAll(/ d="([^"]+)"/g)].map(([, line]) => line)
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(icon).toContain(line)
})
