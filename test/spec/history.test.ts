import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import { actOnWithdrawal } from '#server/withdrawals/act-on-withdrawal.ts'
import { createRisingWorld } from '../world/small-book.ts'
import type { TestUser } from '../world/world.ts'
import {
  absent,
  at,
  becomes,
  chooseTab,
  equals,
  heading,
  leads,
  link,
  steps,
  tab,
  text,
  type Check,
} from './checks.ts'
import { backgroundOf, BLUE, colourOf, GREEN, LOSS, NEUTRAL, YELLOW } from './colours.ts'
import { openProduct, type Product } from './product.ts'
import { screen } from './rows.ts'

let product: Product
let user: TestUser
beforeAll(async () => {
  product = await openProduct(createRisingWorld())
  user = await product.world.user()
  await user.deposit('1000')
  await user.addBankAccount()
  await trade()
  await withdraw('11', [])
  await withdraw('12', ['approve'])
  await withdraw('13', ['approve', 'submit', 'mark-paid'])
  await withdraw('14', ['approve', 'submit', 'mark-failed'])
})
afterAll(() => product.close())

/** Makes a bot buy, and sell with a profit. */
async function trade(): Promise<void> {
  const { id } = await user.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '500',
    },
  })
  await product.world.hours(48)
  await user.call('deleteBot', { params: { id } })
  await product.world.hours(2)
}

async function withdraw(amount: string, actions: readonly WithdrawalAction[]): Promise<void> {
  const { id } = await user.call('requestWithdrawal', { body: { amount } })
  for (const action of actions)
    await actOnWithdrawal(product.world.context, { id, action, actor: 'operator:test' })
}

const cards = (page: Page) => page.getByRole('tabpanel').getByRole('listitem')
const card = (page: Page, words: string | RegExp) => cards(page).filter({ hasText: words }).first()
const inCard =
  (of: string | RegExp, words: string | RegExp): Check =>
  (page) =>
    card(page, of).getByText(words).first().waitFor()
/**
 * The badge's dot has the color. Its word has it too, unless everything went well: a green word
 * beside an amount would read as a gain.
 */
const badge =
  (of: string | RegExp, status: string, colour: string): Check =>
  async (page) => {
    const word = card(page, of).getByText(status, { exact: true })
    equals(await backgroundOf(word.locator('[data-dot]')), colour)
    equals(await colourOf(word), colour === GREEN ? NEUTRAL : colour)
  }
const types = (page: Page) => cards(page).locator('.capitalize').allTextContents()
const filters = (name: string, type: string, count: number): Check =>
  steps(chooseTab(name), (page) =>
    becomes(
      () => types(page),
      Array.from({ length: count }, () => type),
    ),
  )

screen(() => product.open('/history', user), {
  '1 Amounts': {
    'amounts display as USD in en-US format': inCard('Card deposit', '$1,000.00'),
  },
  '2 History': {
    "title 'Transaction History'": heading('Transaction History'),
    'filter tab All': tab('All'),
    'filter tab Deposits': tab('Deposits'),
    'filter tab Trades': tab('Trades'),
    'filter tab Withdrawals': tab('Withdrawals'),
    'a card has its type': inCard('Card deposit', 'deposit'),
    'a card has its description': inCard('$1,000.00', 'Card deposit'),
    'a card has its signed amount': inCard('Card deposit', '+$1,000.00'),
    'a card has its date: short month, day, year': inCard(
      'Card deposit',
      /[A-Z][a-z]{2} \d{1,2}, \d{4}$/,
    ),
    'the date is the day of the transaction': async (page) => {
      const { items } = await user.call('listTransactions', { query: { type: 'deposit' } })
      const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
      const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: zone }).format(
        new Date(items[0]?.createdAt ?? ''),
      )
      await inCard('Card deposit', new RegExp(`${day}$`))(page)
    },
    'a card has a status badge': inCard('Card deposit', 'completed'),
    'a card has its currency': inCard('Card deposit', 'USD'),
    "end note 'No more transactions'": text('No more transactions'),
    'bottom tab bar: Home': link('Home', '/'),
    'bottom tab bar: Bots': link('Bots', '/bot-config'),
    'bottom tab bar: History': link('History', '/history'),
    'bottom tab bar: Help': link('Help', '/help'),
    'bottom tab bar: Profile': link('Profile', '/profile'),
    'newest first (decision 28)': async (page) => equals((await types(page)).at(-1), 'deposit'),
  },
  '4 Transactions': {
    'status completed is green': badge('Card deposit', 'completed', GREEN),
    'status pending is yellow': badge('$11.00', 'pending', YELLOW),
    'status processing is blue': badge('$12.00', 'processing', BLUE),
    'status failed is red': badge('$14.00', 'failed', LOSS),
    'a withdrawal that was paid is completed (decision 17)': badge('$13.00', 'completed', GREEN),
    'type deposit, with a plus': inCard('Card deposit', /^\+\$/),
    'type trade that brings money in, with a plus': inCard(/^Sold BTC/, /^\+\$/),
    'type trade that takes money out, with a minus': inCard(/^Bought BTC/, /^−\$/),
    'type withdrawal, with a minus': inCard('$13.00', /^−\$13\.00$/),
  },
  '2 History, filters': {
    'Deposits shows deposits alone': filters('Deposits', 'deposit', 1),
    'Trades shows trades alone': filters('Trades', 'trade', 2),
    'Withdrawals shows withdrawals alone': filters('Withdrawals', 'withdrawal', 4),
    'Transfers shows transfers alone': filters('Transfers', 'transfer', 2),
    'All shows them all': steps(chooseTab('All'), async (page) =>
      becomes(async () => new Set(await types(page)).size >= 3, true),
    ),
  },
})

screen(async () => product.open('/history', await product.world.user()), {
  '2 History, empty': {
    "'No transactions yet'": text('No transactions yet'),
    "'Make Your First Deposit' leads to /deposit": leads('Make Your First Deposit', '/deposit'),
    'no end note': steps(
      at('/history'),
      text('No transactions yet'),
      absent('No more transactions'),
    ),
    'Deposits of somebody who never deposited': steps(
      chooseTab('Deposits'),
      text('No deposits yet'),
      link('Make Your First Deposit', '/deposit'),
    ),
    'Trades of somebody who never traded': steps(
      chooseTab('Trades'),
      text('No trades yet'),
      absent('Make Your First Deposit'),
    ),
    'Withdrawals of somebody who never withdrew': steps(
      chooseTab('Withdrawals'),
      text('No withdrawals yet'),
      absent('No transactions yet'),
    ),
  },
})
