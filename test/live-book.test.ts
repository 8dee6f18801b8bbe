import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { centsToUnits } from '#core/money/cents.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/text.ts'
import { readOwed } from '#server/ledger/read.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import type { Command } from '#server/ops/command.ts'
import { resumeCommand, venueCommand } from '#server/ops/orders-command.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import { compareVenue } from '#server/trading/check-venue.ts'
import { findHalt } from '#server/trading/halt.ts'
import { createTestDatabase } from './database.ts'
import { cleanUp, until } from './faults/processes.ts'
import {
  createLiveBook,
  FUNDS,
  liveEnvironment,
  startProviders,
  type LiveBook,
} from './live-world.ts'
import { signInAs } from './operators.ts'
import { startServer } from './running-server.ts'
import type { TestUser } from './world.ts'

let book: LiveBook
let folder: string
let operator: OperatorContext

beforeAll(async () => {
  ;[book, folder] = await Promise.all([createLiveBook(), mkdtemp(join(tmpdir(), 'live-book-'))])
  operator = (await signInAs(book.world.context, { name: 'Grace', roles: ['payouts'] })).context
})
afterAll(async () => {
  await cleanUp()
  await book.close()
  await rm(folder, { recursive: true })
})

const run = async (command: Command, words: string[]) => (await command(operator, words)).lines
const cashOf = async (user: TestUser) => (await user.call('getUser')).availableBalance
const owedBy = async (user: TestUser) =>
  unitsToDecimal(await readOwed(book.world.context.sql, user.id), 2)
const tradesOf = async (user: TestUser, id: string) =>
  (await user.call('listBotTrades', { params: { id } })).items

async function createBot(
  user: TestUser,
  { investmentAmount, tradingPairs }: { investmentAmount: string; tradingPairs: string[] },
): Promise<string> {
  const { id } = await user.call('createBot', {
    body: { name: 'Live', riskLevel: 'aggressive', tradingPairs, investmentAmount },
  })
  const traded = async () => (await tradesOf(user, id)).length >= tradingPairs.length
  await until(traded, { timeoutMs: 180_000, complaint: () => 'the bot has not traded' })
  return id
}

/** Balances of the control accounts, without the customers' own, by account and asset. */
async function houseAccounts(): Promise<Map<string, bigint>> {
  const rows = await book.world.context.sql<{ name: string; balance: bigint }[]>`
    select code || ' ' || asset as name, balance from ledger_control
     where code not like 'customer:%'`
  return new Map(rows.map(({ name, balance }) => [name, balance]))
}

/** Our balance in Stripe's own records: payments less refunds and disputed amounts. */
function stripeBalance(): bigint {
  const { live } = book.stripe
  const cents = [...live.intents.values()]
    .map((intent) => live.moneyOf(intent))
    .reduce((sum, { received, refunded, disputed }) => sum + received - refunded - disputed, 0)
  return centsToUnits(cents)
}

/** Our balances in the exchange's own records, by the names of our ledger accounts. */
function exchangeBalances(): Map<string, bigint> {
  const markets = [...book.exchange.markets.values()]
  const nameOf = (id: string) =>
    markets.find(({ base }) => base === id)?.symbol.split('/')[0] ?? 'USD'
  const held = Object.entries(book.orders.balances()).map(
    ([id, amount]) => [`venue ${nameOf(id)}`, decimalToUnits(amount.replace(/0{2}$/, ''))] as const,
  )
  return new Map(held.filter(([, amount]) => amount !== 0n))
}

test('a live book from first deposit to last payout agrees to the cent everywhere', async () => {
  const { world } = book
  // The exchange holds money that is not booked: nothing trades until the operator books it.
  await expect
    .poll(async () => (await findHalt(world.context.sql))?.reason)
    .toBe(`Kraken holds ${FUNDS}.00000000 USD and the book says 0.00000000`)
  expect(await run(venueCommand, ['funded', FUNDS, 'wire-1'])).toEqual([
    `Booked: funded ${moneyText({ amount: FUNDS })}`,
  ])
  expect(await run(resumeCommand, [])).toEqual(['Orders are allowed again.'])
  const [ada, bob] = [await world.user(), await world.user()]
  const [large, small] = [await book.deposit(ada, '1000'), await book.deposit(ada, '300')]
  await book.deposit(bob, '2000')
  expect([await cashOf(ada), await cashOf(bob)]).toEqual(['1300.00', '2000.00'])
  expect(
    (await ada.call('getConfig')).claims,
    'real money is asked for with past results, not with targets',
  ).toBe('evidence')
  for (const user of [ada, bob]) await user.addBankAccount()

  const adasBot = await createBot(ada, {
    investmentAmount: '1100',
    tradingPairs: ['BTC/USDT', 'ETH/USDT'],
  })
  await createBot(bob, { investmentAmount: '800', tradingPairs: ['BTC/USDT', 'SOL/USDT'] })
  expect((await tradesOf(ada, adasBot)).every(({ side }) => side === 'buy')).toBe(true)

  const withdraw = (user: TestUser, amount: string) =>
    user.ask('requestWithdrawal', { body: { amount } })
  expect((await withdraw(bob, '500')).body.code).toBe('withdrawal-on-hold')

  book.stripe.live.refund(intentOf(large), { amount: 15_000 })
  await book.deliverNews()
  expect([await cashOf(ada), await owedBy(ada)]).toEqual(['50.00', '0.00'])
  book.stripe.live.dispute(intentOf(small))
  await book.deliverNews()
  expect([await cashOf(ada), await owedBy(ada)]).toEqual(['0.00', '250.00'])

  await book.pass(73)
  expect((await withdraw(ada, '10')).body.code).toBe('withdrawals-frozen')
  const { status, body } = await withdraw(bob, '500')
  expect(status).toBe(201)
  expect(await run(withdrawalsCommand, ['approve', body.id])).toEqual([`${body.id} is approved`])
  expect(
    (await run(bankFileCommand, ['export', folder])).filter(
      (line) => !line.startsWith('Written to '),
    ),
  ).toEqual(['Batch 1: 1 payouts, $500.00.'])
  expect(await run(bankFileCommand, ['mark-paid', '1'])).toEqual([
    '1 payouts of batch 1 are paid now.',
  ])
  expect((await bob.call('listWithdrawals'))[0]?.state).toBe('paid')

  await ada.call('deleteBot', { params: { id: adasBot } })
  await until(async () => (await owedBy(ada)) === '0.00', {
    timeoutMs: 180_000,
    complaint: () => 'the closed bot has not repaid the debt',
  })
  const back = decimalToUnits(await cashOf(ada))
  expect(back > decimalToUnits('850')).toBe(true)

  await book.rest()
  await expectAgreement()
})

function intentOf(id: string) {
  const intent = book.stripe.live.intents.get(id)
  if (intent === undefined) throw new Error('Stripe received no payment intent')
  return intent
}

async function expectAgreement(): Promise<void> {
  const { context } = book.world
  expect(await reconcile(context)).toEqual([])
  expect(await findHalt(context.sql)).toBeUndefined()
  expect(await compareVenue(context)).toEqual([])
  const house = await houseAccounts()
  expect(house.get('card:clearing USD')).toBe(-stripeBalance())
  const atVenue = [...house]
    .filter(([name, balance]) => name.startsWith('venue ') && balance !== 0n)
    .map(([name, balance]) => [name, -balance] as const)
  expect(new Map(atVenue)).toEqual(exchangeBalances())
  const total =
    (await readFile(join(folder, 'payouts-000001.csv'), 'utf8')).trim().split(',').at(-1) ?? ''
  expect([house.get('payout:clearing USD'), house.get('bank USD')]).toEqual([
    0n,
    decimalToUnits(FUNDS) + decimalToUnits(total),
  ])
  const executed = book.orders.orders().map(({ side, pair }) => `${side} ${pair}`)
  expect(executed.toSorted()).toEqual([
    'buy BTC/USD',
    'buy BTC/USD',
    'buy ETH/USD',
    'buy SOL/USD',
    'sell BTC/USD',
    'sell ETH/USD',
  ])
  console.log(
    `agreed: ${house.size} house accounts, ${executed.length} orders, Stripe holds ` +
      `$${unitsToDecimal(stripeBalance(), 2)}, fees ` +
      `$${unitsToDecimal(house.get('fees:income USD') ?? 0n, 8)}`,
  )
}

test('a server for a live book sends no orders until exchange and book agree', async () => {
  const providers = await startProviders()
  const database = await createTestDatabase()
  const env = {
    ...liveEnvironment(providers),
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    MARKET_FEED: 'auto',
  }
  const server = await startServer({ dataDir: env.DATA_DIR, env })
  const health = async () =>
    (await (await fetch(`${server.url}/health`)).json()) as {
      book: string
      feed: string
      ordersHalted: boolean
    }
  await until(async () => (await health()).ordersHalted, {
    timeoutMs: 180_000,
    complaint: () => 'orders are not halted',
  })
  expect(await health()).toMatchObject({ book: 'live', feed: 'Live prices from Kraken (USD)' })
  const halt = await findHalt(database.sql)
  expect(halt?.reason).toBe(`Kraken holds ${FUNDS}.00000000 USD and the book says 0.00000000`)
  expect(await server.stop()).toBe(0)
  expect(server.errors()).toBe('')
  await database.drop()
  await Promise.all([providers.exchange.close(), providers.stripe.close()])
})
