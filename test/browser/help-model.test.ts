import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  API_KEY,
  MODEL,
  startLanguageModel,
  type LanguageModel,
} from '../emulators/language-model.ts'
import {
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { newReadyPage } from '../spec/product.ts'
import { caughtUp, listen } from '../spec/requests.ts'
import { launchBrowser, PHONE } from './chromium.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let server: RunningServer
let browser: Browser
let page: Page
let model: LanguageModel

beforeAll(async () => {
  model = await startLanguageModel()
  const env = {
    AI_PROVIDER: 'openai-compatible',
    AI_MODEL: MODEL,
    AI_BASE_URL: model.url,
    AI_API_KEY: API_KEY,
    AI_SILENCE_MS: '2000',
    MARKET_SPEED: '0',
  }
  ;[server, browser] = await Promise.all([
    startServer({ dataDir: await makeDataDir(), env }),
    launchBrowser(),
  ])
  const context = await browser.newContext({
    ...PHONE,
    baseURL: server.url,
    reducedMotion: 'reduce',
  })
  page = await newReadyPage(context, { isSignedIn: false })
})

afterAll(async () => {
  await browser.close()
  await Promise.all([server.stop(), model.close()])
  await removeDataDir(server.dataDir)
})

async function picture(name: string): Promise<void> {
  if (SCREENS !== undefined) await page.screenshot({ path: `${SCREENS}/help-model-${name}.png` })
}

const log = () => page.getByRole('log', { name: 'Messages' })
const answers = () => log().locator('ol > li')

async function ask(question: string): Promise<void> {
  await page.goto('/help')
  await page.getByText('AI Powered', { exact: true }).waitFor()
  await page.getByLabel('Your question').fill(question)
  await page.getByLabel('Your question').press('Enter')
}

test('an answer in a model’s words has no search label, and lists its articles below', async () => {
  model.behave({ says: 'Processing takes 1-3 business days; weekends do not count.' })
  await ask('How long does a withdrawal take?')
  await answers()
    .nth(2)
    .getByText('Processing takes 1-3 business days; weekends do not count.')
    .waitFor()
  await log().getByRole('list', { name: 'Articles' }).getByRole('button').first().waitFor()
  expect(await log().getByText('Help search:').count()).toBe(0)
  await picture('answer')
})

test('an answer is shown while it streams, and its articles once it is complete', async () => {
  model.behave({ hangsAfter: 'Deposits and withdrawals have no fee. And our' })
  await ask('What does it cost?')
  await log().getByText('Deposits and withdrawals have no fee.').waitFor()
  await page.getByText('AI is thinking...').waitFor()
  await picture('writing')
  await log().getByText('15% of the profit that you take out of a bot').waitFor()
  await log()
    .getByText(
      'Help search: the AI gave no answer that our articles confirm, ' +
        'so this is the article itself.',
    )
    .waitFor()
  expect(await answers().count()).toBe(3)
  expect(
    await log().getByText('Deposits and withdrawals have no fee.').count(),
    'the partial answer of the model is removed',
  ).toBe(0)
  await picture('articles-instead')
})

test('if the stream breaks, the whole answer is requested again', async () => {
  await page.route('**/api/chat/help/stream', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: 'data: {"kind":"part","text":"Half an "}\n\n',
    }),
  )
  await ask('How do I rename a bot?')
  await answers().nth(2).getByText('three dots').waitFor()
  expect(await log().getByText('Half an').count()).toBe(0)
  await page.unroute('**/api/chat/help/stream')
  await page.route('**/api/chat/help/stream', (route) => route.abort())
  await ask('How do I rename a bot?')
  await answers().nth(2).getByText('three dots').waitFor()
  await page.unroute('**/api/chat/help/stream')
})

test('a refused streaming call is reported once and not retried', async () => {
  const heard = listen(page)
  const body = {
    code: 'too-many-attempts',
    message: 'Too many attempts. Please try again in 5 minutes.',
  }
  await page.route('**/api/chat/help/stream', (route) => route.fulfill({ status: 429, json: body }))
  await ask('How do I rename a bot?')
  await page.getByText(body.message).first().waitFor()
  expect(await page.getByLabel('Your question').inputValue()).toBe('How do I rename a bot?')
  await caughtUp(page)
  expect(heard.filter((call) => call.endsWith('/api/chat/help'))).toEqual([])
})
