import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstQueries } from '#contract/first-queries.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { screensFor, type ScreenName } from '#contract/screens.ts'
import { BANK_ACCOUNT, TEST_CARD } from '../world/world.ts'
import { addressOf } from './address.ts'
import {
  openBuild,
  post,
  postProven,
  signUpIn,
  type OpenedBuild,
  type Person,
} from './served-builds.ts'
import { storedText } from './stored-text.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

const ALICE: Person = {
  username: 'alice-7q',
  firstName: 'Alicia',
  lastName: 'Quandt',
  email: 'alicia.quandt@bots.example',
}
const BERT: Person = {
  username: 'bert-9z',
  firstName: 'Bertram',
  lastName: 'Zwick',
  email: 'bertram.zwick@bots.example',
}

const CARA: Person = {
  username: 'cara-5k',
  firstName: 'Carolina',
  lastName: 'Brandt',
  email: 'carolina.brandt@bots.example',
}

const BANK = 'Quandt Family Bank'
const BOT = 'Alicia saves'

let opened: OpenedBuild
let context: BrowserContext
let botId: string
let aliceId: string

beforeAll(async () => {
  opened = await openBuild()
  context = await opened.openPhone({ reducedMotion: 'reduce' })
  await moveIn()
})

afterAll(() => opened.close())

/** A user with money, a bot that has traded, a bank account and an open withdrawal. */
async function moveIn(): Promise<void> {
  const { request } = context
  await signUpIn(request, ALICE)
  const intent = await post<{ clientSecret: string; paymentIntentId: string }>(request, {
    path: '/api/create-payment-intent',
    data: { amount: '900.00' },
  })
  await post(request, {
    path: '/api/sandbox/card-payments',
    data: { clientSecret: intent.clientSecret, ...TEST_CARD },
  })
  await post(request, {
    path: '/api/confirm-deposit',
    data: { paymentIntentId: intent.paymentIntentId, amount: '900.00' },
  })
  const bot = {
    name: BOT,
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT', 'ETH/USDT'],
    investmentAmount: '400',
  }
  botId = (await post<{ id: string }>(request, { path: '/api/trading-bots', data: bot })).id
  await post(request, {
    path: '/api/trading-bots',
    data: { ...bot, name: `${BOT} more`, investmentAmount: '50' },
  })
  const account = await postProven<{ id: string }>(request, {
    path: '/api/bank-accounts',
    action: 'addBankAccount',
    data: { ...BANK_ACCOUNT, bankName: BANK },
  })
  await postProven(request, {
    path: '/api/withdrawal-requests',
    action: 'requestWithdrawal',
    data: { amount: '77.77', bankAccountId: account.id },
  })
  aliceId = ((await (await request.get('/api/auth/user')).json()) as { id: string }).id
  await opened.served.world.hours(30)
}

/** Something on a screen; by default its title. */
const SHOWN: Partial<Record<ScreenName, string | RegExp>> = {
  home: 'Welcome back, Alicia',
  deposit: 'Choose Amount',
  withdraw: new RegExp(BANK),
  bots: BOT,
  bot: 'Current value',
  coin: 'What bots do now',
  history: 'Card deposit',
  profile: `@${ALICE.username}`,
}

const isKept = (call: RouteName) => (routes[call] as Route).kept === true
/** Only a Home without bots has the evidence. */
const callsOf = (name: ScreenName) =>
  firstQueries(name)
    .map(([call]) => call)
    .filter((call) => name !== 'home' || call !== 'getEvidenceSummary')

/** Every screen of a signed-in user, something on it, and the calls whose answers it needs. */
const SCREENS_OF_A_USER = screensFor(true)
  .filter(({ name, tab }) => tab !== undefined && callsOf(name).every(isKept))
  .map(({ name, path, title }) => ({
    path: () => addressOf(path, botId),
    shown: SHOWN[name] ?? title,
    kept: ['getUser', 'getConfig', ...callsOf(name)],
  }))

const offline = async (isOffline: boolean) => {
  if (isOffline) await opened.served.shut()
  else await opened.release()
  await context.setOffline(isOffline)
}

/** Opens every screen as a user would, and leaves it only after its data has been stored. */
async function visitAll(page: Page): Promise<void> {
  for (const { path, shown, kept } of SCREENS_OF_A_USER) {
    await page.goto(path())
    await page.getByText(shown).first().waitFor()
    const missing = async () => {
      const { lastKnown } = await storedText(page)
      return kept.filter((name) => !lastKnown.includes(name))
    }
    await expect.poll(missing, { message: path() }).toEqual([])
  }
  // Names of files say nothing: the last screen is known by words that only its own code holds.
  await expect.poll(async () => (await storedText(page)).caches.includes('Appearance')).toBe(true)
}

/** Neither figures nor names can be read on the device without the session's key. */
async function expectSealed(page: Page): Promise<void> {
  const { lastKnown } = await storedText(page)
  expect(lastKnown).toContain('getPortfolio')
  expect(
    [
      ALICE.firstName,
      ALICE.username,
      ALICE.email,
      BANK,
      BOT,
      '77.77',
      '900.00',
      'Card deposit',
    ].filter((text) => lastKnown.includes(text)),
  ).toEqual([])
}

async function picture(page: Page, name: string): Promise<void> {
  if (SCREENS !== undefined) await page.screenshot({ path: `${SCREENS}/pwa-${name}.png` })
}

test('every visited screen opens offline, with figures and age, and moves no money', async () => {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await visitAll(page)
  await expectSealed(page)
  await offline(true)
  const times: string[] = []
  for (const { path, shown } of SCREENS_OF_A_USER) {
    await page.goto(path())
    await page.reload({ waitUntil: 'commit' })
    times.push(`${path().replace(botId, ':id')} ${await shownAfterMs(page, shown)} ms`)
    await page
      .getByText("You're offline. Some features may not be available.", { exact: true })
      .waitFor()
    if (path() !== '/help')
      await page.getByText(/^Last known figures, as of (.+, )?\d\d:\d\d$/).waitFor()
    expect(
      await page.getByText(/Unable to load/).allTextContents(),
      `what ${path()} could not load`,
    ).toEqual([])
    await picture(page, `offline${path().replace(botId, 'id').replaceAll('/', '-')}`)
  }
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
  ).toEqual([])
  console.info(`offline reload: ${times.join(', ')}`)
  expect(faults).toEqual([])
  await moneyRests(page)
  await offline(false)
  await page.getByText("You're offline").first().waitFor({ state: 'detached' })
  await page.getByText(/^Last known figures/).waitFor({ state: 'detached' })
  await page.close()
})

/**
 * Milliseconds from the start of the navigation until the text is shown, by the browser's own
 * clock.
 */
async function shownAfterMs(page: Page, text: string | RegExp): Promise<number> {
  const pattern = typeof text === 'string' ? text : text.source
  const look = (source: string) => {
    // The document may not have a body yet.
    const body: HTMLElement | null = document.body
    return new RegExp(source).test(body?.innerText ?? '') && performance.now()
  }
  const shown = await page.waitForFunction(look, pattern)
  return Math.round(Number(await shown.jsonValue()))
}

/** Checks that every button that moves money is disabled, with a description that says why. */
async function moneyRests(page: Page): Promise<void> {
  const buttons: Record<string, readonly RegExp[]> = {
    '/deposit': [/^Continue$/],
    '/withdraw': [/^Request Withdrawal$/, /^Cancel$/],
    '/bot-config': [/^Stop all bots$/, /^Simulate trade with /, /^Pause /, /^Delete /],
    '/bot-config/new': [/^Create Trading Bot$/],
    [`/bot-config/${botId}`]: [/^Add money to /, /^Simulate trade with /, /^Pause /, /^Delete /],
  }
  for (const [path, names] of Object.entries(buttons)) {
    await page.goto(path)
    if (names.some(({ source }) => source === '^Pause '))
      await page
        .getByRole('button', { name: /^Actions for / })
        .first()
        .click()
    for (const name of names) {
      const item = page.getByRole('menuitem', { name })
      const button = page.getByRole('button', { name }).or(item).first()
      await button.waitFor()
      expect(await button.isDisabled(), `${path} ${name}`).toBe(true)
      const reason = await button.evaluate(
        (one) =>
          document.getElementById(one.getAttribute('aria-describedby')?.split(' ')[0] ?? '')
            ?.textContent,
      )
      expect(reason, `${path} ${name}`).toBe(
        "You're offline: you can't make changes until you're back online.",
      )
    }
  }
}

test('a tab that loses its network shows data from an earlier visit', async () => {
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('Welcome back, Alicia').waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await offline(true)
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('Card deposit').first().waitFor()
  await offline(false)
  await page.close()
})

test('a German device is German offline; an English one stores no German words', async () => {
  const germans = async (page: Page) =>
    (await storedText(page)).cachedPaths.filter((path) => path.includes('/german-'))
  const english = await context.newPage()
  await english.goto('/')
  expect(await germans(english)).toEqual([])
  await english.close()
  const phone = await opened.openPhone({ reducedMotion: 'reduce', locale: 'de-AT' })
  const page = await phone.newPage()
  await page.goto('/')
  await page.getByRole('link', { name: 'Ich habe ein Konto' }).waitFor()
  await expect.poll(() => germans(page)).toHaveLength(1)
  await offline(true)
  await phone.setOffline(true)
  await page.goto('/evidence')
  await page.getByText('Du bist offline.').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  await offline(false)
  await phone.close()
})

test('the shared caches hold the app and no user data', async () => {
  const page = await context.newPage()
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  const { caches, cachedPaths, shellBytes } = await storedText(page)
  console.info(`the shell that the worker keeps: ${(shellBytes / 1_000).toFixed(1)} kB`)
  expect(shellBytes).toBeGreaterThan(100_000)
  expect(shellBytes).toBeLessThanOrEqual(165_000)
  expect(cachedPaths.filter((path) => !path.startsWith('/assets/')).toSorted()).toEqual([
    '/index.html',
    '/theme.js',
  ])
  for (const secret of ['initial-data"', ALICE.username, ALICE.firstName, aliceId])
    expect(caches).not.toContain(secret)
  await page.close()
})

test('after a switch of users, nothing of the previous user is left in the browser', async () => {
  const secrets = [...Object.values(ALICE), BANK, BOT, botId, aliceId, '77.77']
  const [page, other] = [await context.newPage(), await context.newPage()]
  await other.goto('/history')
  await other.getByText('Card deposit').first().waitFor()
  await page.goto('/')
  await page.getByText('Welcome back, Alicia').waitFor()
  const before = await storedText(page)
  expect(
    secrets.filter((secret) => !before.everything.includes(secret)),
    'the scan finds stored data',
  ).toEqual([])
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByRole('link', { name: 'I Have an Account' }).waitFor()
  expect((await storedText(page)).key, 'the key is gone').toBe('')
  await other.getByRole('link', { name: 'I Have an Account' }).waitFor()
  await expect.poll(async () => (await storedText(page)).lastKnown.includes(aliceId)).toBe(false)
  for (const tab of [page, other]) await sees(tab, secrets, before.key)

  await offline(true)
  await page.goto('/history').catch(() => undefined)
  await page.getByText("You're offline").first().waitFor()
  await sees(page, secrets, before.key)
  await offline(false)
  await signUpIn(context.request, BERT)
  await page.goto('/')
  await page.getByText('Welcome back, Bertram').waitFor()
  for (const path of [
    '/history',
    '/withdraw',
    '/profile',
    '/bot-config',
    `/bot-config/${botId}`,
    '/',
  ]) {
    await page.goto(path)
    await page.getByRole('heading').first().waitFor()
    await sees(page, secrets, before.key)
  }
  await expect.poll(async () => (await storedText(page)).opened.includes(BERT.username)).toBe(true)
  await offline(true)
  for (const path of ['/', '/history', '/withdraw', '/profile', '/bot-config']) {
    await page.goto(path)
    await page.getByRole('heading').first().waitFor()
    await sees(page, secrets, before.key)
  }
  await offline(false)
  await page.close()
  await other.close()
})

/**
 * Checks that no secret is on the screen or anywhere in the browser's storage, sealed with the key
 * of the session before or not.
 */
async function sees(page: Page, secrets: readonly string[], earlierKey: string): Promise<void> {
  const { everything } = await storedText(page, earlierKey)
  const found = secrets.filter((secret) => everything.includes(secret))
  // The tab's own URL may contain what it requested.
  expect(
    found.filter((secret) => !page.url().includes(secret)),
    `what is found at ${page.url()}`,
  ).toEqual([])
}

test('without the key of the session no stored answer can be read', async () => {
  const phone = await opened.openPhone({ reducedMotion: 'reduce' })
  await signUpIn(phone.request, CARA)
  const page = await phone.newPage()
  await page.goto('/')
  await page.getByText('Welcome back, Carolina').waitFor()
  await expect.poll(async () => (await storedText(page)).opened.includes(CARA.username)).toBe(true)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await phone.clearCookies({ name: 'kept' })
  await offline(true)
  await phone.setOffline(true)
  await page.goto('/')
  await page.getByText("You're offline").first().waitFor()
  expect((await storedText(page)).everything).not.toContain(CARA.firstName)
  await offline(false)
  await phone.close()
})

test('ending a session deletes its last known figures', async () => {
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('Welcome back, Bertram').waitFor()
  await expect.poll(async () => (await storedText(page)).opened.includes(BERT.username)).toBe(true)
  await opened.served.world.context.sql`delete from sessions`
  await page.getByRole('link', { name: 'History' }).click()
  await page.waitForURL('**/login')
  await expect
    .poll(async () => (await storedText(page)).everything.includes(BERT.username))
    .toBe(false)
  await page.close()
})
