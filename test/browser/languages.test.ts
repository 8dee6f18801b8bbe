import { AxeBuilder } from '@axe-core/playwright'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '#words/language.ts'
import {
  openProduct,
  waitUntilInteractive,
  type OpenOptions,
  type Product,
} from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
})
afterAll(() => product.close())

async function pageFor(
  path: string,
  { accepts, cookie = '' }: { accepts: string; cookie?: string },
): Promise<{ html: string; cache: string | null }> {
  const answer = await fetch(product.url + path, {
    headers: { accept: 'text/html', 'accept-language': accepts, cookie },
  })
  return { html: await answer.text(), cache: answer.headers.get('cache-control') }
}

test('each reader gets a page in their own language, and no cache stores it', async () => {
  const expected = {
    en: {
      '/': 'I Have an Account',
      '/login': '<title>Sign in',
      '/evidence': '<title>Evidence',
      '/nowhere': '404 Page Not Found',
    },
    de: {
      '/': 'Ich habe ein Konto',
      '/login': '<title>Anmelden',
      '/evidence': '<title>Nachweise',
      '/nowhere': 'Seite nicht gefunden',
    },
  }
  const asked = LANGUAGES.flatMap((language) =>
    Object.entries(expected[language]).map(([path, text]) => ({ language, path, text })),
  )
  // A server that has just started makes its first pages slowly.
  for (const { language, path } of asked) await pageFor(path, { accepts: language })
  await Promise.all(
    [...asked, ...asked].map(async ({ language, path, text }) => {
      const { html, cache } = await pageFor(path, { accepts: `${language}-AT,${language};q=0.9` })
      expect(html, `${path} in ${language}`).toContain(text)
      expect(html).toContain(`<html lang="${language}"`)
      expect(html.includes('needs JavaScript'), 'the texts around the screen').toBe(
        language === 'en',
      )
      expect(html.includes('content="Bots that trade')).toBe(language === 'en')
      expect(cache).toBe('no-store')
    }),
  )
})

test("a choice on the device takes precedence over the browser's preference", async () => {
  const chosen = [
    await pageFor('/login', { accepts: 'de', cookie: 'language=en' }),
    await pageFor('/login', { accepts: 'en', cookie: 'language=de' }),
  ]
  expect(chosen.map(({ html }) => /<html lang="(\w+)"/.exec(html)?.[1])).toEqual(['en', 'de'])
})

test('an answer is in the language of the requesting page, even after another choice', async () => {
  const messages = await Promise.all(
    LANGUAGES.map(async (language) => {
      const answer = await fetch(`${product.url}/api/transactions/unknown`, {
        headers: { 'x-language': language, cookie: `language=de; ${ada.cookie}` },
      })
      return ((await answer.json()) as { message: string }).message
    }),
  )
  expect(messages).toEqual(["We couldn't find that.", 'Das haben wir nicht gefunden.'])
})

test('a page whose words cannot be loaded is in English, without React errors', async () => {
  const { page, complaints } = await openGerman('about:blank', undefined, {
    serviceWorkers: 'allow',
  })
  await page.route('**/assets/german-*.js', (route) => route.abort('connectionreset'))
  await page.goto(`${product.url}/login`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await waitUntilInteractive(page)
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  expect(complaints.filter((text) => !/Failed to load|could not be loaded/.test(text))).toEqual([])
  await page.context().close()
})

async function openGerman(
  path: string,
  user?: TestUser,
  options: OpenOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const complaints: string[] = []
  const before = async (page: Page) => {
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on(
      'console',
      (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
    )
  }
  return {
    page: await product.open(path, user, { locale: 'de-DE', ...options, before }),
    complaints,
  }
}

test('a page in German hydrates without warnings', async () => {
  for (const [path, user] of [
    ['/', undefined],
    ['/login', undefined],
    ['/', ada],
    ['/profile', ada],
    ['/bot-config/new', ada],
  ] as const) {
    const { page, complaints } = await openGerman(path, user, { serviceWorkers: 'allow' })
    await waitUntilInteractive(page)
    expect(complaints, `${path}, signed in: ${user !== undefined}`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
    await page.context().close()
  }
})

test.each(['/', '/login?from=mail', '/signup'])(
  'a visitor can change the language of %s, which keeps its address',
  async (path) => {
    const { page } = await openGerman(path)
    await waitUntilInteractive(page)
    const other = page.getByRole('button', { name: 'English' })
    expect(await other.getAttribute('lang')).toBe('en')
    const { height = 0, width = 0 } = (await other.boundingBox()) ?? {}
    expect(Math.min(height, width)).toBeGreaterThanOrEqual(48)
    await other.click()
    await page.getByRole('button', { name: 'Deutsch' }).waitFor()
    expect(page.url()).toBe(product.url + path)
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    await page.goto('/evidence')
    expect(await page.evaluate(() => document.documentElement.lang), 'the choice holds').toBe('en')
    await page.context().close()
  },
)

test('the language changes only after a confirmation if typed text would be lost', async () => {
  const { page } = await openGerman('/signup')
  await waitUntilInteractive(page)
  await page.getByLabel('Vorname').fill('Ada')
  await page.getByRole('button', { name: 'English' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Sprache ändern und Eingaben verlieren?' })
  await dialog.waitFor()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await dialog.getByRole('button', { name: 'Erst abschließen' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Vorname').inputValue()).toBe('Ada')
  await page.getByRole('button', { name: 'English' }).click()
  await dialog.getByRole('button', { name: 'Sprache ändern' }).click()
  await page.getByLabel('First name').waitFor()
  await page.context().close()
})

test('a typed amount stays the same amount when the language changes', async () => {
  const user = await product.world.user()
  await user.deposit('10000')
  const page = await product.open('/bot-config/new', user)
  const amounts = ['/deposit', '/withdraw', '/bot-config/new']
  const amountOn = async (path: string, language: string) => {
    await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
    await page.goto(path)
    return page.locator('input[inputmode=decimal]').first()
  }
  for (const path of amounts) await (await amountOn(path, 'de')).fill('1.250,50')
  for (const path of amounts) {
    const amount = await amountOn(path, 'en')
    await expect.poll(() => amount.inputValue(), { message: path }).toBe('1250.50')
    await amount.fill('1,250.75')
  }
  for (const path of amounts) {
    const amount = await amountOn(path, 'de')
    await expect.poll(() => amount.inputValue(), { message: path }).toBe('1250,75')
  }
  await page.getByRole('button', { name: 'Bot erstellen', exact: true }).click()
  await expect
    .poll(async () => (await user.call('listBots')).map(({ investmentAmount }) => investmentAmount))
    .toEqual(['1250.75'])
  await page.context().close()
})

test('the picture of the app is in the language of its reader', async () => {
  for (const language of LANGUAGES) {
    const { html } = await pageFor('/', { accepts: language })
    const pictures = [...html.matchAll(/\/screenshots\/[\w-]+\.webp/g)].map(([path]) => path)
    expect(pictures.filter((path) => path.includes('landing-de'))).toEqual(
      language === 'de' ? pictures : [],
    )
    expect(
      pictures.map((path) => existsSync(join(import.meta.dirname, '../../public', path))),
    ).toEqual([true, true])
    for (const path of pictures)
      expect(
        (await (await fetch(product.url + path)).arrayBuffer()).byteLength,
      ).toBeLessThanOrEqual(30_000)
  }
})
