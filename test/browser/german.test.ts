import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeDataDir, startServer, type RunningServer } from '../process/running-server.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { noteInteractive, waitUntilInteractive } from '../spec/product.ts'
import { inGerman } from './in-german.ts'
import { NARROW_WINDOW } from './large-text.ts'
import { measureGerman } from './measures.ts'
import { openPeople, type People } from './people.ts'
import { inspectStates } from './screens.ts'

const PASSWORD = 'a long password'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let server: RunningServer
let browser: Browser
let people: People

beforeAll(async () => {
  // At real-time speed, so that no market event changes a screen while it is read.
  ;[server, browser] = await Promise.all([
    startServer({ env: { MARKET_SPEED: '1' } }),
    launchBrowser(),
  ])
  people = await openPeople(browser, server.url, { ...NARROW_WINDOW, locale: 'de-DE' })
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await removeDataDir(server.dataDir)
})

test('every screen in every state is German throughout, and fits', async () => {
  expect(await inspectStates(people, readGerman, inGerman)).toEqual([])
})

/** Steps are written with English names and run in German; expectations are in German. */
test('users can sign up, deposit, run a bot, withdraw and sign out in German', async () => {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: server.url,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    locale: 'de-DE',
  })
  await noteInteractive(context)
  const page = inGerman(await context.newPage())
  const user = userOf(page)
  await signUp(user)
  await deposit(user)
  await runBot(user)
  await withdraw(user)
  await user.open('/history')
  await user.see('Einzahlung per Karte')
  await user.open('/profile')
  await user.see('883,50\u00a0$')
  await user.press('Sign Out')
  await user.see('Du bist abgemeldet')
  await context.close()
})

type User = {
  page: Page
  open: (path: string) => Promise<void>
  press: (name: string) => Promise<void>
  enter: (label: string, text: string) => Promise<void>
  see: (text: string) => Promise<void>
}

function userOf(page: Page): User {
  return {
    page,
    open: async (path) => {
      await page.goto(path)
      await waitUntilInteractive(page)
    },
    press: (name) => page.getByRole('button', { name, exact: true }).first().click(),
    enter: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    see: (text) => page.getByText(text).first().waitFor(),
  }
}

async function signUp({ open, press, enter, see }: User): Promise<void> {
  await open('/signup')
  await enter('Username', 'deutsch')
  await enter('Password', PASSWORD)
  await enter('First name', 'Jörg')
  await enter('Last name', 'Groß')
  await press('Create Account')
  await see('Willkommen zurück, Jörg')
}

async function deposit({ page, press, enter, see }: User): Promise<void> {
  await page.getByRole('link', { name: 'Deposit', exact: true }).first().click()
  await enter('Custom amount', '1.234,50')
  await press('Continue')
  await see('Complete Payment')
  await enter('Card number', '4242424242424242')
  await enter('Expiry', '1234')
  await enter('CVC', '123')
  await press('Deposit $1,234.50')
  await see('Payment Successful')
  await see('+1.234,50\u00a0$')
  await press('Close')
}

async function runBot({ page, open, press, enter, see }: User): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Bots' }).first().click()
  await see('Risk level')
  expect(await page.getByLabel('Bot name').inputValue()).toBe('Moderat mit 5 Coins')
  await enter('Investment amount', '250,5')
  await press('Create Trading Bot')
  await see('Bot Created')
  await open('/bot-config')
  await see('250,50\u00a0$ investiert')
}

async function withdraw({ page, open, press, enter, see }: User): Promise<void> {
  await open('/withdraw')
  await press('Add Bank Account')
  await enter('Bank name', 'Erste Bank')
  await enter('Routing number', '021000021')
  await enter('Account number', '000123456789')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Add Bank Account', exact: true })
    .click()
  await enter('Password', PASSWORD)
  await press('Confirm')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await see('Erste Bank')
  await enter('Amount', '100,5')
  await press('Request Withdrawal')
  await press('Confirm withdrawal')
  await enter('Password', PASSWORD)
  await press('Confirm')
  await see('Withdrawal Requested')
  await see('\u2212100,50\u00a0$')
  await press('Close')
}

async function readGerman(page: Page, where: string): Promise<string[]> {
  const picture = (prefix: string) =>
    SCREENS !== undefined &&
    page.screenshot({
      path: `${SCREENS}/${prefix}${where.replaceAll(/\W+/g, '-')}.png`,
      fullPage: true,
    })
  await picture('')
  const findings = [
    ...(await englishOn(page)),
    ...(await emptyWaitsOn(page)),
    ...(await measureGerman(page)),
  ]
  await picture('large')
  return findings.map((finding) => `${where}: ${finding}`)
}

/** Sentences about a wait of 0 minutes, hours or days: without a wait they must not be shown. */
async function emptyWaitsOn(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText()
  return [...text.matchAll(/.*\b0 (?:Minuten|Stunden|Tage)\b.*/g)].map(
    ([line]) => `tells a wait of no time: "${line}"`,
  )
}

/** Words that English sentences have and German ones do not. */
const ENGLISH = new RegExp(
  '\\b(the|your|you|of|and|is|are|with|for|from|this|that|to|it|no|not|yet|has|have|at|by|' +
    'bought|sold|deposit|withdrawal|fee|balance|day|days|hour|hours)\\b',
  'i',
)

/** Everything on the page that is read or spoken and contains an English word. */
async function englishOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const spoken = [
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'aria-roledescription',
      'placeholder',
      'alt',
      'title',
    ]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement?.closest('script, style, template, [lang="en"]')
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    )
    const found = [document.title]
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      found.push(node.textContent ?? '')
    for (const element of document.querySelectorAll('body *'))
      for (const name of spoken) found.push(element.getAttribute(name) ?? '')
    return [
      document.documentElement.lang === 'de' ? '' : `lang is ${document.documentElement.lang}`,
      ...found,
    ]
  })
  const named = ['A second one with a rather long name', 'First Bank']
  const read = texts.map((text) =>
    named.reduce((rest, name) => rest.replaceAll(name, ''), text.trim()),
  )
  return [...new Set(read.filter((text) => ENGLISH.test(text) || text.startsWith('lang is')))].map(
    (text) => `reads "${text.slice(0, 160)}"`,
  )
}
