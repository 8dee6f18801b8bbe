import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lengthOf } from '../world/length.ts'
import { removeDataDir, startServer, type RunningServer } from '../process/running-server.ts'
import { newReadyPage } from '../spec/product.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { CONFIRMATION } from './confirm-person.ts'
import { tabAndPress, tabAndType, tabTo } from './keyboard.ts'
import { NARROW_WINDOW } from './large-text.ts'
import { markupFindings } from './markup.ts'
import { measureLooks, type Looks } from './measures.ts'
import { openPeople, type People } from './people.ts'
import { inspectStates, statesOf } from './screens.ts'
import { changesWithoutWord, percentagesWithoutSpan } from './spans.ts'

let server: RunningServer
let browser: Browser
let people: People

beforeAll(async () => {
  // At real-time speed, so that no market event changes a screen while it is measured.
  ;[server, browser] = await Promise.all([
    startServer({ env: { MARKET_SPEED: '1' } }),
    launchBrowser(),
  ])
  people = await openPeople(browser, server.url, NARROW_WINDOW)
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await removeDataDir(server.dataDir)
})

/**
 * By default only every third state is measured in all themes and windows, and the others in two,
 * because all are made of the same few parts.
 */
const IN_TURN: readonly Looks[] = lengthOf<readonly Looks[]>({
  usual: ['all', 'dark', 'desk'],
  full: ['all'],
})

test('every screen in every state is valid HTML, accessible, and fits at 200 % text', async () => {
  let checked = 0
  const findings = await inspectStates(people, async (page, where, place) => {
    const marks = [
      ...(await percentagesWithoutSpan(page)),
      ...(await changesWithoutWord(page)),
      ...(await markupFindings(page)),
    ]
    const looks = await measureLooks(page, IN_TURN[place % IN_TURN.length])
    checked += looks.length
    return [
      ...marks.map((finding) => `${where}: ${finding}`),
      ...looks.flatMap(({ look, findings: found }) =>
        found.map((finding) => `${where}, ${look}: ${finding}`),
      ),
    ]
  })
  console.log(`${statesOf(people).length} states, ${checked} looks checked`)
  expect(findings).toEqual([])
})

/** No pointer is used: only Tab, Enter, Space, arrow keys and typing. */
test('users can sign up, deposit, run a bot, withdraw and sign out by keyboard alone', async () => {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: server.url,
    reducedMotion: 'reduce',
  })
  const page = await newReadyPage(context, { isSignedIn: false })
  await page.goto('/')
  await signUp(page)
  await deposit(page)
  await createBot(page)
  await withdraw(page)
  await tabAndPress(page, 'Profile')
  await arriveAt(page, 'Kit Keys')
  await tabAndPress(page, 'Sign Out')
  await page.getByText('Logged out successfully').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  await context.close()
})

const arriveAt = (page: Page, heading: string | RegExp) =>
  page.getByRole('heading', { name: heading }).first().waitFor()

async function signUp(page: Page): Promise<void> {
  await tabAndPress(page, 'Start Trading Now')
  await arriveAt(page, 'Create your account')
  await tabAndType(page, 'Username', 'kit')
  await tabAndType(page, 'Password', 'a long password')
  await tabAndType(page, 'First name', 'Kit')
  await tabAndType(page, 'Last name', 'Keys')
  await tabAndPress(page, 'Create Account')
  await arriveAt(page, 'Welcome back, Kit')
}

async function deposit(page: Page): Promise<void> {
  await tabAndPress(page, 'Deposit')
  await arriveAt(page, 'Choose Amount')
  await tabAndPress(page, '$100', 'Space')
  await tabAndPress(page, 'Continue')
  await page.getByText('Complete Payment').waitFor()
  await tabAndType(page, 'Card number', '4242424242424242')
  await tabAndType(page, 'Expiry', '1234')
  await tabAndType(page, 'CVC', '123')
  await tabAndPress(page, 'Deposit $100.00')
  await page.getByText('Payment Successful').first().waitFor()
  await page.getByRole('dialog').waitFor()
  await tabAndPress(page, 'Close')
}

async function createBot(page: Page): Promise<void> {
  await arriveAt(page, /^Welcome back/)
  await tabAndPress(page, 'Bots')
  await arriveAt(page, /^Your Moderate bot/)
  await tabTo(page, /^Moderate ?25/)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.getByRole('radio', { name: /Aggressive/ }).isChecked()).toBe(true)
  await tabAndPress(page, 'All 12', 'Space')
  await tabAndPress(page, 'Choose')
  await tabAndPress(page, /^ADA\/USDT/, 'Space')
  await tabTo(page, 'Investment amount')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('50')
  await tabTo(page, 'Bot name')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('By keys')
  await tabAndPress(page, 'Create Trading Bot')
  await page.getByText('Bot Created').first().waitFor()
}

async function withdraw(page: Page): Promise<void> {
  await tabAndPress(page, 'Home')
  await arriveAt(page, /^Welcome back/)
  await tabAndPress(page, 'Withdraw')
  await arriveAt(page, 'Withdraw Funds')
  await tabAndPress(page, 'Add Bank Account')
  await page.getByRole('dialog').waitFor()
  await tabAndType(page, 'Bank name', 'First Bank')
  await tabAndType(page, 'Routing number', '021000021')
  await tabAndType(page, 'Account number', '000123456789')
  await tabAndPress(page, /^Add /)
  await confirm(page)
  await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  await tabAndPress(page, '50%', 'Space')
  await tabAndPress(page, 'Request Withdrawal')
  await tabAndPress(page, /^Confirm/i)
  await confirm(page)
  await page.getByText('Withdrawal Requested').first().waitFor()
  await page.getByRole('dialog').waitFor()
  await tabAndPress(page, 'Close')
  await arriveAt(page, 'Welcome back, Kit')
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: CONFIRMATION }).waitFor()
  await tabAndType(page, 'Password', 'a long password')
  await tabAndPress(page, 'Confirm')
}
