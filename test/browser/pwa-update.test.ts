import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { caughtUp } from '../spec/requests.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { makeBuilds, serveWorld, signUpIn, type Builds, type ServedWorld } from './served-builds.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let served: ServedWorld
let builds: Builds
let browser: Browser
let context: BrowserContext
let users = 0

beforeAll(async () => {
  ;[served, builds, browser] = await Promise.all([
    serveWorld(),
    makeBuilds(['one', 'two']),
    launchBrowser(),
  ])
})

afterAll(async () => {
  await browser.close()
  await Promise.all([served.close(), builds.remove()])
})

beforeEach(async () => {
  await release('one')
  context = await browser.newContext({ ...PHONE, baseURL: served.url, reducedMotion: 'reduce' })
  users += 1
  await signUpIn(context.request, {
    username: `reader${users}`,
    firstName: 'Rea',
    lastName: 'Der',
    email: `reader${users}@bots.example`,
  })
})

afterEach(() => context.close())

const release = (name: 'one' | 'two') => served.serve(builds.folders[name === 'one' ? 0 : 1] ?? '')

type Tab = { page: Page; loads: () => Promise<number>; faults: string[]; events: string[] }

/**
 * Opens a tab that counts its loads and records its errors, and whatever could explain an
 * unexpected load.
 */
async function openTab(path: string, within = context): Promise<Tab> {
  const page = await within.newPage()
  const faults: string[] = []
  const events: string[] = []
  let loads = 0
  page.on('load', () => (loads += 1))
  page.on('framenavigated', (frame) => events.push(`at ${frame.url()}`))
  page.on('console', (message) => events.push(message.text()))
  page.on('requestfailed', (request) =>
    events.push(`failed: ${request.url()} ${request.failure()?.errorText}`),
  )
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(path)
  const counted = async () => {
    await page.waitForLoadState()
    await caughtUp(page)
    return loads
  }
  return { page, loads: counted, faults, events }
}

const buildOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['build'])
const controlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null)
/**
 * Waits until the worker has cached all files of its build but the words of another language, so
 * that no tab needs the server for them.
 */
async function keepsAll(page: Page): Promise<void> {
  const areCached = async () => {
    const worker = await (await fetch('/sw.js')).text()
    const paths = worker.match(/\/assets\/(?!german-)[\w.-]+/g) ?? []
    const found = await Promise.all(paths.map((path) => caches.match(path)))
    return found.length > 0 && !found.includes(undefined)
  }
  await expect.poll(() => page.evaluate(areCached)).toBe(true)
}
const updateButton = (page: Page) => page.getByRole('button', { name: 'Update Now', exact: true })
const lookForUpdate = (page: Page) =>
  page.evaluate(
    async () => void (await (await navigator.serviceWorker.getRegistration())?.update()),
  )

async function bannerShown(page: Page): Promise<void> {
  await page.getByText('New version available!', { exact: true }).waitFor()
  await updateButton(page).waitFor()
}

/**
 * Presses the button and expects exactly one reload, into build two, with no further update
 * waiting.
 */
async function updates({ page, loads, faults }: Tab): Promise<void> {
  const before = await loads()
  // The question, if there is one, lies over the banner. A page that the network answered may be
  // build two already.
  await Promise.all([page.waitForEvent('load'), updateButton(page).last().click()])
  await page.waitForFunction(() => document.documentElement.dataset['build'] === 'two')
  await controlled(page)
  await page.getByRole('heading').first().waitFor()
  expect((await loads()) - before, 'reloads').toBe(1)
  expect(await page.getByText('New version available!').count()).toBe(0)
  expect(
    await page.evaluate(
      async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null,
    ),
  ).toBeNull()
  expect(faults).toEqual([])
}

test('an update during the very first visit is offered, and applied on request', async () => {
  const tab = await openTab('/')
  await controlled(tab.page)
  expect(await buildOf(tab.page)).toBe('one')
  expect(
    await tab.page.getByText('New version available!').count(),
    'the first worker is no update',
  ).toBe(0)
  await release('two')
  await lookForUpdate(tab.page)
  await bannerShown(tab.page)
  await updates(tab)
})

test('an update after a reload is offered, and applied on request', async () => {
  const tab = await openTab('/')
  await controlled(tab.page)
  await tab.page.reload()
  await release('two')
  await lookForUpdate(tab.page)
  await bannerShown(tab.page)
  const { violations } = await new AxeBuilder({ page: tab.page }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
  ).toEqual([])
  if (SCREENS !== undefined) await tab.page.screenshot({ path: `${SCREENS}/pwa-update.png` })
  await updates(tab)
})

test('an update that already waited when the page loaded is offered, and applied', async () => {
  const tab = await openTab('/')
  await controlled(tab.page)
  await release('two')
  await lookForUpdate(tab.page)
  await bannerShown(tab.page)
  await tab.page.goto('/profile')
  await tab.page.getByText('Sign Out').waitFor()
  await bannerShown(tab.page)
  await updates(tab)
})

test('the worker stores each file once for two tabs, as a second time could lose it', async () => {
  const puts = context.waitForEvent('serviceworker').then(async (worker) => {
    await worker.evaluate(() => {
      const paths: string[] = []
      const { put } = Cache.prototype
      Cache.prototype.put = function (path, response) {
        paths.push(String(path))
        return put.call(this, path, response)
      }
      Object.assign(globalThis, { paths })
    })
    return () => worker.evaluate<string[]>('paths')
  })
  // Holds the app's greeting, at which the worker stores files, until each of them is noted. Adds a
  // second greeting at the same moment, as from another tab.
  await context.addInitScript(async () => {
    const { postMessage } = ServiceWorker.prototype
    const noted = new Promise((resolve) => Object.assign(window, { greet: resolve }))
    ServiceWorker.prototype.postMessage = function (message: unknown) {
      void noted.then(() => postMessage.call(this, message, {}))
    }
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ language: 'en' })
  })
  const tab = await openTab('/')
  const pathsStored = await puts
  await tab.page.evaluate('greet()')
  await keepsAll(tab.page)
  const paths = await pathsStored()
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.toSorted()).toEqual([...new Set(paths)].toSorted())
})

test('if one of two tabs updates, the other keeps its form and version until asked', async () => {
  const [first, second] = [await openTab('/'), await openTab('/deposit')]
  await controlled(second.page)
  await keepsAll(second.page)
  await second.page.getByLabel('Custom amount').fill('250')
  await release('two')
  await lookForUpdate(first.page)
  await bannerShown(first.page)
  await updates(first)
  expect(
    await second.page.evaluate(async () => (await caches.keys()).length),
    'the files of both builds are kept',
  ).toBe(2)
  await bannerShown(second.page)
  expect(await second.loads(), 'the second tab was reloaded while its user was typing').toBe(1)
  expect(await second.page.getByLabel('Custom amount').inputValue()).toBe('250')

  await updateButton(second.page).click()
  await second.page.getByText('Update and lose what you typed?').waitFor()
  if (SCREENS !== undefined)
    await second.page.screenshot({ path: `${SCREENS}/pwa-update-asks.png` })
  await second.page.getByRole('button', { name: 'Finish first' }).click()
  expect(await second.page.getByLabel('Custom amount').inputValue()).toBe('250')

  await second.page.getByRole('link', { name: 'Back' }).click()
  await second.page.getByRole('link', { name: 'History' }).click()
  await second.page.getByRole('heading', { name: 'Transaction History' }).waitFor()
  const shown = await second.page.waitForFunction(() => document.documentElement.dataset['history'])
  expect(
    await shown.jsonValue(),
    `an old tab opens old files; it did: ${second.events.join('\n')}`,
  ).toBe('one')
  expect(await second.loads()).toBe(1)
  await updates(second)
})

test('a half-filled form is discarded only after its user confirms', async () => {
  const tab = await openTab('/withdraw')
  await controlled(tab.page)
  await tab.page.getByLabel('Amount', { exact: true }).fill('25')
  await release('two')
  await lookForUpdate(tab.page)
  await bannerShown(tab.page)
  await updateButton(tab.page).click()
  await tab.page.getByText('Update and lose what you typed?').waitFor()
  expect(await tab.loads()).toBe(1)
  await updates(tab)
})

test('a tab whose files no longer exist anywhere reloads once, into the new version', async () => {
  const withoutWorker = await browser.newContext({
    ...PHONE,
    baseURL: served.url,
    serviceWorkers: 'block',
    storageState: await context.storageState(),
  })
  const { page, loads } = await openTab('/', withoutWorker)
  await page.getByRole('heading', { name: 'Total Balance' }).waitFor()
  await release('two')
  await page.getByRole('link', { name: 'History' }).click()
  await page.waitForFunction(() => document.documentElement.dataset['build'] === 'two')
  await page.getByRole('heading', { name: 'Transaction History' }).waitFor()
  expect(await loads()).toBe(2)
  await withoutWorker.close()
})
