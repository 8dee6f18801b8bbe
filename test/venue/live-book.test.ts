import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { centsToUnits } from '#core/money/cents.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { readOwed } from '#server/ledger/read.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { EXCHANGES, type ExchangeName } from '#server/exchange/open-exchange.ts'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import type { Command } from '#server/ops/command.ts'
import { resumeCommand, venueCommand } from '#server/ops/orders-command.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import { checkVenue, compareVenue } from '#server/trading/check-venue.ts'
import { findHalt } from '#server/trading/halt.ts'
import { createTestDatabase } from '../world/database.ts'
import type { PlacedOrder } from '../emulators/exchange-orders.ts'
import { partsOf } from '../emulators/orders/decimals.ts'
import { cleanUp, until } from '../faults/processes.ts'
import {
  createLiveBook,
  FUNDS,
  liveEnvironment,
  payFeesFromBnb,
  startProviders,
  type LiveBook,
} from '../world/live-world.ts'
import { signInAs } from '../world/operators.ts'
import { startServer } from '../process/running-server.ts'
import type { TestUser } from '../world/world.ts'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'live-book-'))))
afterAll(async () => {
  await cleanUp()
  await rm(folder, { recursive: true })
})

/** The asset in which each order's fee is taken. */
const FEES: Record<ExchangeName, (order: PlacedOrder) => string> = {
  kraken: () => 'ZUSD',
  // The fee is charged in the asset received, until the account pays its fees in BNB.
  binance: ({ side, pair }) => (side === 'buy' ? coinOf(pair) : 'BNB'),
  coinbase: () => 'USD',
}
const NAMES = Object.keys(FEES) as ExchangeName[]

const coinOf = (symbol: string) => symbol.split('/')[0] ?? ''
const cashOf = async (user: TestUser) => (await user.call('getUser')).availableBalance
const tradesOf = async (user: TestUser, id: string) =>
  (await user.call('listBotTrades', { params: { id } })).items

/** A live book with its operator. */
type Run = LiveBook & { operator: OperatorContext; files: string }

async function openBook(name: ExchangeName): Promise<Run> {
  const [book, files] = await Promise.all([createLiveBook(name), mkdtemp(join(folder, name))])
  const { context } = await signInAs(book.world.context, { name: 'Grace', roles: ['payouts'] })
  return { ...book, operator: context, files }
}

const run = async ({ operator }: Run, command: Command, words: string[] = []) =>
  (await command(operator, words)).lines
const haltOf = async ({ world }: Run) => (await findHalt(world.context.sql))?.reason
const owedBy = async ({ world }: Run, user: TestUser) =>
  unitsToDecimal(await readOwed(world.context.sql, user.id), 2)

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

/** Funds the exchange. Nothing is traded until the operator books the money. */
async function fund(book: Run): Promise<void> {
  const reason = `${EXCHANGES[book.exchange.name]} holds ${FUNDS}.00000000 USD and the book says`
  await until(async () => (await haltOf(book)) === `${reason} 0.00000000`, {
    timeoutMs: 180_000,
    complaint: () => 'orders are not halted',
  })
  expect(await run(book, venueCommand, ['funded', FUNDS, 'wire-1'])).toEqual([
    `Booked: funded ${englishMoneyText({ amount: FUNDS })}`,
  ])
  expect(await run(book, resumeCommand)).toEqual(['Orders are allowed again.'])
}

/** An approved withdrawal leaves in a file for the bank. */
async function payOut(book: Run, user: TestUser, amount: string): Promise<void> {
  const { status, body } = await user.ask('requestWithdrawal', { body: { amount } })
  expect(status).toBe(201)
  const approved = await run(book, withdrawalsCommand, ['approve', body.id])
  expect(approved).toEqual([`${body.id} is approved`])
  const exported = await run(book, bankFileCommand, ['export', book.files])
  expect(exported[0]).toBe(`Batch 1: 1 payouts, $${amount}.00.`)
  expect(await run(book, bankFileCommand, ['mark-paid', '1'])).toEqual([
    '1 payouts of batch 1 are paid now.',
  ])
  expect((await user.call('listWithdrawals'))[0]?.state).toBe('paid')
}

const MINUTE_MS = 60_000
const BNB = /^Binance takes its fees from BNB, /

test.concurrent.each(NAMES)('at %s a live book reconciles from deposit to payout', async (name) => {
  const book = await openBook(name)
  await fund(book)
  const [ada, bob] = [await book.world.user(), await book.world.user()]
  const [large, small] = [await book.deposit(ada, '1000'), await book.deposit(ada, '300')]
  await book.deposit(bob, '2000')
  expect([await cashOf(ada), await cashOf(bob)]).toEqual(['1300.00', '2000.00'])
  expect(
    (await ada.call('getConfig')).claims,
    'real money is asked for with past results, not with targets',
  ).toBe('evidence')
  for (const user of [ada, bob]) await user.addBankAccount()
  const tradingPairs = ['BTC/USDT', 'ETH/USDT']
  const adasBot = await createBot(ada, { investmentAmount: '1100', tradingPairs })
  const pairs = ['BTC/USDT', 'BNB/USDT']
  await createBot(bob, { investmentAmount: '800', tradingPairs: pairs })
  expect((await tradesOf(ada, adasBot)).every(({ side }) => side === 'buy')).toBe(true)
  const withdraw = (user: TestUser, amount: string) =>
    user.ask('requestWithdrawal', { body: { amount } })
  expect((await withdraw(bob, '500')).body.code).toBe('withdrawal-on-hold')
  book.stripe.live.refund(intentOf(book, large), { amount: 15_000 })
  await book.deliverNews()
  expect([await cashOf(ada), await owedBy(book, ada)]).toEqual(['50.00', '0.00'])
  book.stripe.live.dispute(intentOf(book, small))
  await book.deliverNews()
  expect([await cashOf(ada), await owedBy(book, ada)]).toEqual(['0.00', '250.00'])

  await book.pass(73)
  expect((await withdraw(ada, '10')).body.code).toBe('withdrawals-frozen')
  await payOut(book, bob, '500')
  if (name === 'binance') await payFeesFromBnb(book.exchange)
  await ada.call('deleteBot', { params: { id: adasBot } })
  const sold = () => book.orders.orders().filter(({ side }) => side === 'sell').length
  await until(() => sold() === 2, { timeoutMs: 180_000, complaint: () => 'the bot is not sold' })
  // If fees are charged in coins, less than a step of a coin is left; the house buys it a minute
  // later.
  book.exchange.clock.jumpBy(MINUTE_MS)
  await until(
    async () => {
      if (BNB.test((await haltOf(book)) ?? '')) await run(book, resumeCommand)
      return (await owedBy(book, ada)) === '0.00'
    },
    { timeoutMs: 180_000, complaint: () => 'the closed bot has not repaid the debt' },
  )
  expect(decimalToUnits(await cashOf(ada)) > decimalToUnits('850')).toBe(true)

  await book.rest()
  await expectAgreement(book)
  await book.close()
})

function intentOf({ stripe }: Run, id: string) {
  const intent = stripe.live.intents.get(id)
  if (intent === undefined) throw new Error('Stripe received no payment intent')
  return intent
}

/** Balances of the control accounts, without the customers' own, by account and asset. */
async function houseAccounts({ world }: Run): Promise<Map<string, bigint>> {
  const rows = await world.context.sql<{ name: string; balance: bigint }[]>`
    select code || ' ' || asset as name, balance from ledger_control
     where code not like 'customer:%'`
  return new Map(rows.map(({ name, balance }) => [name, balance]))
}

/** Our balance in Stripe's own records: payments less refunds and disputed amounts. */
function stripeBalance({ stripe: { live } }: Run): bigint {
  const cents = [...live.intents.values()]
    .map((intent) => live.moneyOf(intent))
    .reduce((sum, { received, refunded, disputed }) => sum + received - refunded - disputed, 0)
  return centsToUnits(cents)
}

/**
 * Our balances in the exchange's own records, by the names of our ledger accounts. Coinbase counts
 * ten decimals: the book rounds the cost and the fee of each order against itself, to eight.
 */
function exchangeBalances({ exchange, orders }: Run): Map<string, bigint> {
  const markets = [...exchange.markets.values()]
  const nameOf = (id: string) => coinOf(markets.find(({ base }) => base === id)?.symbol ?? 'USD')
  const over = (parts: bigint) => ((parts % FINER) + FINER) % FINER
  const rounded = orders.orders().map(({ side, cost, fee }) => {
    const paid = side === 'buy' ? -partsOf(cost) : partsOf(cost)
    return over(paid) + over(-partsOf(fee))
  })
  const held = Object.entries(orders.balances()).map(([id, amount]) => {
    const finer = id === exchange.money ? rounded.reduce((sum, each) => sum + each, 0n) : 0n
    const parts = partsOf(amount) - finer
    expect(parts % FINER).toBe(0n)
    return [`venue ${nameOf(id)}`, parts / FINER] as const
  })
  return new Map(held.filter(([, amount]) => amount !== 0n))
}

const FINER = 100n

/** The book, Stripe, the bank and the exchange agree to the last digit. */
async function expectAgreement(book: Run): Promise<void> {
  const { context } = book.world
  expect(await reconcile(context)).toEqual([])
  expect(await compareVenue(context)).toEqual([])
  await checkVenue(context)
  const isFromBnb = book.exchange.name === 'binance'
  expect(await haltOf(book)).toEqual(isFromBnb ? expect.stringMatching(BNB) : undefined)
  const house = await houseAccounts(book)
  expect(house.get('card:clearing USD')).toBe(-stripeBalance(book))
  const atVenue = [...house]
    .filter(([name, balance]) => name.startsWith('venue ') && balance !== 0n)
    .map(([name, balance]) => [name, -balance] as const)
  expect(new Map(atVenue)).toEqual(exchangeBalances(book))
  const [file = ''] = (await readdir(book.files)).filter((each) => each.endsWith('.csv'))
  const total = (await readFile(join(book.files, file), 'utf8')).trim().split(',').at(-1) ?? ''
  expect([house.get('payout:clearing USD'), house.get('bank USD')]).toEqual([
    0n,
    decimalToUnits(FUNDS) + decimalToUnits(total),
  ])
  expectOrders(book, house)
}

function expectOrders({ exchange, ...book }: Run, house: Map<string, bigint>): void {
  const { name } = exchange
  const orders = book.orders.orders()
  expect(orders.map(({ side, pair }) => `${side} ${coinOf(pair)}`).toSorted()).toEqual([
    'buy BNB',
    'buy BTC',
    'buy BTC',
    'buy ETH',
    'sell BTC',
    'sell ETH',
  ])
  expect(orders.map(({ fees }) => Object.keys(fees))).toEqual(
    orders.map((order) => [FEES[name](order)]),
  )
  // Subtracts customers' coins with which fees of others were paid, because the house owes them.
  const fromBnb = orders.filter(({ side }) => side === 'sell').map(({ fees }) => fees['BNB'] ?? '0')
  const owed = fromBnb.reduce((sum, each) => sum + partsOf(each), 0n) / FINER
  expect(house.get('bank BNB') ?? 0n).toBe(-owed)
  console.log(
    `${name}: ${house.size} house accounts, ${orders.length} orders, fees ` +
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
