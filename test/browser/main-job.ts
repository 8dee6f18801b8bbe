import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import { confirmPerson, CONFIRMATION } from './confirm-person.ts'

const MARKET_DATA_DIR = process.env['MARKET_DATA_DIR'] ?? 'data/candles'

/** The settings of a server on which the main job takes seconds. */
export const MAIN_JOB_SETTINGS = {
  MARKET_FEED: 'replay',
  MARKET_DATA_DIR,
  MARKET_START: '2023-10-16T00:00:00Z',
  MARKET_SPEED: '7200',
  PAYOUT_DELAY_MS: '1500',
  WITHDRAWAL_HOLD_HOURS: '0',
}

const PASSWORD = 'a long password'

/** `inspect` is called on each screen. */
type Walk = { page: Page; inspect: (name: string) => Promise<void> }

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()

/**
 * Signs up as ada, deposits, runs a bot, watches its figures change and withdraws; then the screen
 * and the ledger agree to the cent.
 */
export async function doMainJob(walk: Walk, sql: Sql): Promise<void> {
  const { page, inspect } = walk
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on(
    'response',
    (response) => response.status() >= 500 && faults.push(`${response.status()} ${response.url()}`),
  )

  await page.goto('/')
  await page.getByText('Target, not a promise: you can lose money.').waitFor()
  await inspect('01-landing')
  await page.getByRole('link', { name: 'I Have an Account' }).click()
  await page.getByRole('button', { name: 'Sign In' }).waitFor()
  await inspect('02-login')
  await page.getByRole('link', { name: 'Create one' }).click()
  await signUp(walk)

  await page.getByText('Welcome back, Ada').waitFor()
  await page.getByText('No active bots').waitFor()
  await inspect('04-home-empty')
  await deposit(walk)
  await runBot(walk)
  await watchHome(walk)
  await history(walk)
  await withdraw(walk)
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByText('@ada').waitFor()
  await inspect('17-profile')
  expect(faults).toEqual([])
  await compareWithLedger(page, sql)
}

/**
 * Waits for this screen's button, because the log-in stays until the code of the screen has loaded;
 * its fields have the same labels, and typed text would be lost.
 */
async function signUp({ page, inspect }: Walk): Promise<void> {
  await page.getByRole('button', { name: 'Create Account' }).waitFor()
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await inspect('03-signup')
  await press(page, 'Create Account')
}

async function deposit({ page, inspect }: Walk): Promise<void> {
  await page.getByRole('link', { name: 'Deposit' }).click()
  await page.getByText('Choose Amount').waitFor()
  await inspect('05-deposit')
  await page.getByText('$500', { exact: true }).click()
  await press(page, 'Continue')
  await page.getByText('Complete Payment').waitFor()
  await page.getByLabel('Card number').fill('4000000000000002')
  await page.getByLabel('Expiry').fill('1234')
  await page.getByLabel('CVC').fill('123')
  await press(page, 'Deposit $500.00')
  await page.getByText('Your card was declined.').first().waitFor()
  await inspect('06-card-declined')
  await page.getByLabel('Card number').fill('4242424242424242')
  await press(page, 'Deposit $500.00')
  await page.getByText('Payment Successful').first().waitFor()
  await page.getByRole('dialog', { name: 'Card deposit' }).waitFor()
  await inspect('07-deposit-receipt')
  await press(page, 'Close')
  await page.getByText('Total balance', { exact: false }).first().waitFor()
}

async function runBot({ page, inspect }: Walk): Promise<void> {
  await page.getByRole('link', { name: 'Bots' }).click()
  await page.getByText('Aggressive', { exact: true }).click()
  await page.getByText('Choose', { exact: true }).click()
  for (const pair of ['BTC', 'SOL'])
    await page.getByRole('checkbox', { name: new RegExp(pair) }).check({ force: true })
  expect(
    await page.getByRole('checkbox', { name: 'ADA/USDT' }).isDisabled(),
    'a pair without recorded data cannot be chosen',
  ).toBe(true)
  await page.getByLabel('Bot name').fill('Steady BTC')
  await page.getByLabel('Investment amount').fill('300')
  await page
    .getByText(/hypothetical/i)
    .first()
    .waitFor()
  await inspect('08-bot-form')
  await press(page, 'Create Trading Bot')
  await page.getByText('Bot Created').first().waitFor()
  await page
    .getByRole('img', { name: /^\d of 4 trends up\.$/ })
    .first()
    .waitFor()
  await inspect('09-bot')
}

async function watchHome({ page, inspect }: Walk): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('Active Trading Bots').waitFor()
  const balance = page
    .getByRole('region', { name: 'Total Balance' })
    .getByRole('paragraph')
    .or(page.locator('.text-46'))
    .first()
  const before = await balance.textContent()
  await expect
    .poll(() => balance.textContent(), { message: 'home shows new figures without a reload' })
    .not.toBe(before)
  await inspect('10-home')
}

async function history({ page, inspect }: Walk): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('Transaction History').waitFor()
  await page
    .getByText(/Bought/)
    .first()
    .waitFor()
  await inspect('11-history')
  await page
    .getByRole('tab', { name: 'Deposits' })
    .or(page.getByRole('radio', { name: 'Deposits' }))
    .first()
    .click()
  await expect.poll(() => page.getByText(/Bought/).count()).toBe(0)
  await page.getByText('Card deposit').first().click()
  await page.getByText('Exact figures and ledger lines').click()
  await page.getByText('From the card provider').waitFor()
  await inspect('12-receipt')
  await page.keyboard.press('Escape')
}

async function withdraw({ page, inspect }: Walk): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('link', { name: 'Withdraw' }).click()
  await page.getByText('Available for withdrawal').waitFor()
  await press(page, 'Add Bank Account')
  await page.getByLabel('Bank name').fill('First Bank')
  await page.getByLabel('Routing number').fill('021000021')
  await page.getByLabel('Account number').fill('000123456789')
  await inspect('13-bank-account')
  await page.getByRole('dialog').getByRole('button', { name: /add/i }).last().click()
  await page.getByRole('dialog', { name: CONFIRMATION }).waitFor()
  await inspect('14-confirm-person')
  await confirmPerson(page, PASSWORD)
  await page.getByText('First Bank').first().waitFor()
  expect(
    await page.getByText('Invalid Amount').count(),
    'the sheet submitted the form behind it',
  ).toBe(0)
  await page.getByText('50%', { exact: true }).click()
  await inspect('15-withdraw')
  await press(page, 'Request Withdrawal')
  await page.getByRole('button', { name: /confirm/i }).click()
  await confirmPerson(page, PASSWORD)
  await page.getByText('Withdrawal Requested').first().waitFor()
  await page.getByRole('dialog', { name: /^Withdrawal to First Bank/ }).waitFor()
  await inspect('16-withdrawal-receipt')
  await press(page, 'Close')
}

/** Checks that the screen matches the ledger to the cent, and that the book reconciles. */
async function compareWithLedger(page: Page, sql: Sql): Promise<void> {
  const [user] = await sql<{ id: string }[]>`select id from users where username = 'ada'`
  await expect
    .poll(async () => (await sql`select from withdrawal_requests where state = 'paid'`).length)
    .toBe(1)
  const shown = await page.evaluate(
    async () => (await fetch('/api/auth/user')).json() as Promise<Record<string, string>>,
  )
  const { cash, hold } = await readBalances(sql, user?.id ?? '')
  expect(shown['availableBalance']).toBe(unitsToDecimal(cash, 2))
  expect(unitsToDecimal(cash, 2)).toBe('100.00')
  expect(hold).toBe(0n)
  expect(await atOneMoment(sql, recompute)).toEqual([])
}
