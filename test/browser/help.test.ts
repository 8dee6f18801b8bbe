import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeDataDir, startServer, type RunningServer } from '../process/running-server.ts'
import { becomes } from '../spec/checks.ts'
import { newReadyPage } from '../spec/product.ts'
import { launchBrowser, PHONE } from './chromium.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let server: RunningServer
let browser: Browser
let page: Page
const faults: string[] = []

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
  const context = await browser.newContext({
    ...PHONE,
    baseURL: server.url,
    reducedMotion: 'reduce',
  })
  page = await newReadyPage(context, { isSignedIn: false })
  page.on('pageerror', (error) => faults.push(error.message))
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await removeDataDir(server.dataDir)
})

async function inspect(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const findings = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
    expect(findings, `${name}, ${colorScheme}`).toEqual([])
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      `${name} is wider than the phone`,
    ).toBeLessThanOrEqual(0)
    if (SCREENS !== undefined)
      await page.screenshot({ path: `${SCREENS}/help-${name}-${colorScheme}.png` })
  }
}

const input = () => page.getByLabel('Your question')
const log = () => page.getByRole('log', { name: 'Messages' })
const items = () => log().locator('ol > li')
const hasFocus = () => input().evaluate((element) => element === document.activeElement)

test('visitors without an account can ask, wait, read the answer and open its source', async () => {
  await page.goto('/help')
  await page.getByRole('heading', { name: 'AI Help Chat' }).waitFor()
  await page.getByText('Help search', { exact: true }).waitFor()
  expect(await items().count(), 'the list begins with a welcome').toBe(1)
  await page.getByRole('button', { name: 'Can I lose money?' }).waitFor()
  expect(
    await page.getByRole('button', { name: 'What is my balance?' }).count(),
    'questions about own figures are not suggested',
  ).toBe(0)
  await inspect('welcome')

  const sent: string[] = []
  let answerNow = () => {}
  await page.route('**/api/chat/help', async (route) => {
    sent.push(route.request().postData() ?? '')
    await new Promise<void>((resolve) => (answerNow = resolve))
    await route.continue()
  })
  await input().fill('   ')
  await input().press('Enter')
  await input().fill('')
  await input().pressSequentially('  what does it')
  await input().press('Shift+Enter')
  await input().pressSequentially('cost? ')
  expect(sent, 'a blank question and a new line send nothing').toEqual([])
  await input().press('Enter')
  await page.getByText('AI is thinking...').waitFor()
  await becomes(() => sent, [JSON.stringify({ message: 'what does it\ncost?' })])
  await input().fill('and this?')
  await input().press('Enter')
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  expect(sent.length, 'nothing is sent while a reply is pending').toBe(1)
  expect(await hasFocus()).toBe(true)
  answerNow()
  await log().getByText('15% of the profit that you take out of a bot').waitFor()
  expect(await page.getByText('AI is thinking...').count()).toBe(0)
  await page.unroute('**/api/chat/help')
  await inspect('answer')

  await log().getByRole('button', { name: 'What does it cost?' }).click()
  await page.getByRole('dialog').getByText('Deposits and withdrawals: no fee').waitFor()
  await inspect('article')
  await page.keyboard.press('Escape')
})

test('a failure shows a toast and keeps the question; an empty reply shows help', async () => {
  await page.goto('/help')
  await page.route('**/api/chat/help', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'Something' } }),
  )
  await input().fill('how do I withdraw?')
  await input().press('Enter')
  await page.getByText('Chat Error').first().waitFor()
  await page.getByText('Failed to get AI response. Please try again.').first().waitFor()
  expect(await input().inputValue()).toBe('how do I withdraw?')
  expect(await items().count()).toBe(1)
  await page.unroute('**/api/chat/help')
  await page.route('**/api/chat/help', (route) => route.fulfill({ json: {} }))
  await input().press('Enter')
  await log().getByText('contact support').waitFor()
  await page.unroute('**/api/chat/help')
})

test('signed-in users see their own balance', async () => {
  const status = await page.evaluate(async () => {
    const body = JSON.stringify({
      username: 'ada',
      password: 'a long password',
      firstName: 'Ada',
      lastName: 'Lovelace',
    })
    return (
      await fetch('/api/auth/signup', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    ).status
  })
  expect(status).toBe(201)
  await page.goto('/help')
  await page.getByRole('button', { name: 'What is my balance?' }).click()
  await log().getByText('Available cash: $0.00').waitFor()
  await inspect('balance')
  expect(faults).toEqual([])
})
