import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import type { YearStatement } from '#contract/statement.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { depositCredited } from '#core/ledger/movements.ts'
import type { TaxFormat } from '#core/statement/tax-format.ts'
import type { Sql } from '#server/db/open.ts'
import { queriesOver, type Queries } from '#server/db/statement.ts'
import { post } from '#server/ledger/post.ts'
import { taxCsv } from './csv.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { readBotsInterest } from '#server/holdings/derived-trades.ts'
import { randomFrom, SEED } from '../../../test/world/random.ts'
import { resetThrottles } from '../../../test/world/reset-throttles.ts'
import { takeStep, type Walk, type Walker } from '../../../test/money/random-operations.ts'
import {
  type Booked,
  readCoinTracking,
  readKoinly,
  readRotki,
} from '../../../test/emulators/tax-tools.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

const STEPS = 150
const USERS = 6
const PAIRS: readonly Pair[] = ['BTC/USDT', 'SOL/USDT', 'POL/USDT']

let world: World
let users: TestUser[]

/** A random walk of several users over a New Year, of which all bots are closed at the end. */
beforeAll(async () => {
  const beginMs = () => Date.UTC(2024, 11, 30)
  const feed = { ...simulatedFeed({ seed: SEED }), pairs: PAIRS, beginMs }
  const config = { INTENTS_PER_HOUR: 1_000_000, CASH_YIELD_BPS: 500, CASH_YIELD_SOURCE: 'T-bills' }
  world = await createWorld({ feed, config })
  const walkers: Walker[] = []
  for (let number = 0; number < USERS; number += 1) {
    const user = await world.user()
    await user.deposit('1000')
    const accounts = [await user.addBankAccount()]
    const bots = [await coinsFor(user, 'hold'), await coinsFor(user, 'balanced')]
    walkers.push({ user, intents: [], bots, accounts, withdrawals: [] })
  }
  users = walkers.map(({ user }) => user)
  recordYearEnd()
  const walk: Walk = { world, random: randomFrom(SEED), walkers }
  for (let step = 0; step < STEPS; step += 1) {
    await takeStep(walk)
    if (step % 10 === 0) await world.hours(6)
  }
  await halfway()
  for (const user of users) await user.call('stopAll')
  await world.serve()
})
afterAll(() => world.close())

/**
 * Balances as Home showed them at the last whole hour of 2024, even if the walk skips that hour.
 */
let yearEnd: string[]
function recordYearEnd(): void {
  const { hours } = world
  world.hours = async (count) => {
    const left = (Date.UTC(2024, 11, 31, 23) - world.engine.nowMs()) / HOUR_MS
    if (left <= 0 || left > count) return hours(count)
    await hours(left)
    yearEnd = []
    for (const user of users) yearEnd.push((await user.call('getUser')).totalBalance)
    // Into the next year, so that nothing else happens in the old one.
    return hours(Math.max(1, count - left))
  }
}

/** A bot that buys at once, whatever the market does. */
async function coinsFor(user: TestUser, strategy: 'hold' | 'balanced'): Promise<string> {
  const body = { name: strategy, strategy, tradingPairs: PAIRS, investmentAmount: '300' }
  return (await user.call('createBot', { body })).id
}

/** Statements and balances while bots were open. */
let open: { statement: YearStatement; total: string }[]
async function halfway(): Promise<void> {
  open = []
  for (const user of users)
    open.push({
      statement: await user.call('getStatement'),
      total: (await user.call('getUser')).totalBalance,
    })
}

const CHANGES = [
  'deposits',
  'refunds',
  'withdrawals',
  'realized',
  'interest',
  'fees',
  'unrealized',
] as const
const cents = (statement: YearStatement, name: keyof YearStatement): Units =>
  decimalToUnits(String(statement[name]))

test("each statement adds up, from the worth at the beginning to Home's", () => {
  for (const { statement, total } of open) {
    const sum = CHANGES.reduce((all, name) => all + cents(statement, name), 0n)
    expect(cents(statement, 'opening') + sum).toBe(cents(statement, 'closing'))
    expect(statement.closing).toBe(total)
  }
  expect(open.some(({ statement }) => statement.unrealized !== '0.00')).toBe(true)
})

async function yearsOf(user: TestUser): Promise<YearStatement[]> {
  const { years } = await user.call('getStatement')
  const statements = []
  for (const { year } of years.toReversed())
    statements.push(await user.call('getStatement', { query: { year } }))
  return statements
}

test("the worth at a year's end opens the next year, and the last equals the balance", async () => {
  for (const user of users) {
    const [first, second] = await yearsOf(user)
    expect([first?.year, second?.year]).toEqual(['2024', '2025'])
    expect([first?.isOver, second?.isOver]).toEqual([true, false])
    expect(second?.opening).toBe(first?.closing)
    expect(second?.closing).toBe((await user.call('getUser')).totalBalance)
  }
})

test("a year's closing and the next opening equal Home's balance of the last hour", async () => {
  const ends = await Promise.all(
    users.map(async (user) => {
      const [first, second] = await yearsOf(user)
      return [first?.closing, second?.opening]
    }),
  )
  expect(ends).toEqual(yearEnd.map((total) => [total, total]))
})

/** Sum of the user's entries of an account, by kind of transfer. */
async function ledger(user: TestUser, code: string, kinds: RegExp): Promise<Units> {
  const rows = await world.context.sql<{ kind: string; amount: Units }[]>`
    select t.kind, sum(e.amount)::bigint as amount from ledger_transfers t
      join ledger_entries e on e.user_id = t.user_id and e.transfer_id = t.id
      join ledger_accounts a on a.user_id = e.user_id and a.id = e.account_id and a.code = ${code}
     where t.user_id = ${user.id} group by t.kind`
  return rows.reduce((sum, { kind, amount }) => sum + (kinds.test(kind) ? amount : 0n), 0n)
}

const CENT = ONE / 100n
const distance = (a: Units, b: Units): Units => (a < b ? b - a : a - b)

test("the years' sums are the ledger's, to the cent", async () => {
  for (const user of users) {
    const years = await yearsOf(user)
    const sum = (name: keyof YearStatement) =>
      years.reduce((all, year) => all + cents(year, name), 0n)
    expect(sum('deposits')).toBe(-(await ledger(user, 'card:clearing', /^deposit$/)))
    expect(sum('withdrawals')).toBe(
      -(await ledger(user, 'payout:clearing', /^payout/)) - (await ledger(user, 'bank', /^/)),
    )
    const fees = await ledger(user, 'fees:income', /^/)
    expect(distance(sum('fees'), -fees)).toBeLessThan(2n * CENT)
    // All is sold: nothing is left unrealized but the cents that each shown figure rounds away.
    const shown = years.reduce((all, { coins }) => all + coins.length + 4, 0)
    expect(distance(sum('unrealized'), 0n)).toBeLessThan(BigInt(shown) * CENT)
    expect(distance(sum('realized'), sum('realizedByAverage'))).toBeLessThan(BigInt(shown) * CENT)
  }
})

async function download(user: TestUser, url: string, language = 'en'): Promise<string> {
  const answer = await world.app.inject({
    url,
    headers: { cookie: user.cookie, 'accept-language': language },
  })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    'text/csv; charset=utf-8',
  ])
  expect(answer.headers['content-disposition']).toContain('-paper-money.csv')
  return answer.body
}

const exported = (user: TestUser, format: TaxFormat) =>
  download(user, `${plainRoutes.tax}?format=${format}`)

const sumOf = (rows: readonly Booked[], kinds: readonly string[], currency = 'USD'): Units =>
  rows.reduce(
    (sum, { kind, changes }) => sum + (kinds.includes(kind) ? (changes.get(currency) ?? 0n) : 0n),
    0n,
  )

test("three tax tools parse the same rows, whose sums are the ledger's", async () => {
  let trades = 0
  let interestPaid = 0n
  for (const user of users) {
    const koinly = readKoinly(await exported(user, 'koinly'))
    const cointracking = readCoinTracking(await exported(user, 'cointracking'))
    const rotki = readRotki(
      await exported(user, 'rotki-trades'),
      await exported(user, 'rotki-events'),
    )
    trades += koinly.filter(({ kind }) => kind === 'trade').length
    const inSeconds = (rows: readonly Booked[]) =>
      rows
        .map(({ kind, atMs, changes }) =>
          [kind, Math.floor(atMs / 1_000), ...[...changes].toSorted().flat()].join(' '),
        )
        .toSorted()
    expect(inSeconds(cointracking)).toEqual(inSeconds(koinly))
    expect(inSeconds(rotki)).toEqual(inSeconds(koinly))
    const { sql } = world.context
    const interest = await readBotsInterest(sql, { userId: user.id })
    const paid = interest.reduce((all, one) => all + one.amount, 0n)
    interestPaid += paid
    expect(sumOf(koinly, ['interest'])).toBe(paid)
    expect(sumOf(koinly, ['fee'])).toBe(-(await ledger(user, 'fees:income', /^/)))
    const own = /^(?!bot-)/
    expect(sumOf(koinly, ['deposit', 'withdrawal'])).toBe(
      (await ledger(user, 'customer:cash', own)) + (await ledger(user, 'customer:hold', own)),
    )
    // No bot is left: what the tool holds is the user's cash, and no coins.
    const all = ['trade', 'deposit', 'withdrawal', 'interest', 'fee']
    const cash =
      (await ledger(user, 'customer:cash', /^/)) + (await ledger(user, 'customer:hold', /^/))
    expect(distance(sumOf(koinly, all), cash)).toBeLessThan(CENT)
    for (const coin of PAIRS.map(baseOf)) expect(sumOf(koinly, all, coin)).toBe(0n)
  }
  expect(interestPaid).toBeGreaterThan(0n)
  expect(trades).toBeGreaterThan(USERS * PAIRS.length * 3)
})

/** Calls `act` once, after the first answer of a transaction. */
function actingAfterFirst(sql: Sql, act: () => Promise<unknown>): Sql {
  let isDone = false
  const begin = <Result>(mode: string, work: (tx: Queries) => Promise<Result>) =>
    sql.begin(mode, (tx) =>
      work(
        queriesOver(async (sent) => {
          const rows = await tx.send(sent)
          if (!isDone) {
            isDone = true
            await act()
          }
          return rows
        }),
      ),
    )
  return new Proxy(sql, {
    get: (target, name, receiver) =>
      name === 'begin' ? begin : Reflect.get(target, name, receiver),
  })
}

test('trades that commit while a file is read are not in it, nor in its money', async () => {
  const user = await world.user()
  await user.deposit('1000')
  await coinsFor(user, 'hold')
  await world.serve()
  const asked = { userId: user.id, format: 'koinly', book: 'paper' } as const
  const { sql } = world.context
  const fileOf = async (from: Sql) => (await taxCsv(from, asked)).join('')
  const before = await fileOf(sql)
  const meanwhile = async () => {
    await user.deposit('500')
    await coinsFor(user, 'balanced')
    await world.serve()
  }
  expect(await fileOf(actingAfterFirst(sql, meanwhile))).toBe(before)
  const after = await fileOf(sql)
  expect(after.split('\n').length).toBeGreaterThan(before.split('\n').length + 1)
})

test('a file has all of an account with more transfers than are read at once', async () => {
  const user = await world.user()
  const { atomically, newId } = world.context
  const eventTime = new Date(world.engine.nowMs())
  const movement = depositCredited({ userId: user.id, amount: ONE })
  const COUNT = 1_001
  await atomically(async (tx) => {
    for (let number = 0; number < COUNT; number += 1) {
      const id = newId()
      await post(tx, { id, dedupKey: `test:${id}`, userId: user.id, movement, eventTime })
    }
  })
  const rows = readKoinly(await exported(user, 'koinly'))
  expect([rows.length, sumOf(rows, ['deposit'])]).toEqual([COUNT, BigInt(COUNT) * ONE])
})

test('a user downloads at most 20 files for tax tools in a minute', async () => {
  const [user] = users
  if (!user) throw new Error('a user walked')
  await resetThrottles(world.context.sql)
  for (let number = 0; number < 20; number += 1) await exported(user, 'koinly')
  const answer = await world.app.inject({
    url: `${plainRoutes.tax}?format=koinly`,
    headers: { cookie: user.cookie },
  })
  expect([answer.statusCode, answer.json()]).toMatchObject([429, { code: 'too-many-attempts' }])
  const foreign = await world.app.inject({
    url: `${plainRoutes.tax}?format=koinly`,
    headers: { cookie: user.cookie, 'sec-fetch-site': 'cross-site' },
  })
  expect(foreign.json()).toMatchObject({ code: 'cross-site' })
})

test('the file of a year has its figures; German ones have semicolons and the mark', async () => {
  const user = users[0]
  if (!user) throw new Error('a user walked')
  const statement = await user.call('getStatement', { query: { year: '2024' } })
  const url = `${plainRoutes.year}?year=2024`
  const rows = parse(await download(user, url), { columns: true }) as Record<string, string>[]
  const amountOf = (item: string) => rows.find((row) => row['item'] === item)?.['amount']
  expect([amountOf('deposits'), amountOf('worth at the end')]).toEqual([
    statement.deposits,
    statement.closing,
  ])
  expect(rows.at(-1)?.['item']).toBe('This is no tax advice.')
  const accounts = new Set(rows.map((row) => row['account']))
  expect([...accounts]).toEqual(['Trading Bot (paper money)'])
  const german = await download(user, url, 'de')
  expect(german.slice(0, 11)).toBe('\uFEFFyear;item;')
  expect(german).toContain(`deposits;;${statement.deposits.replace('.', ',')};USD`)
})

test.each([
  [`${plainRoutes.year}?year=969`, 'year'],
  [`${plainRoutes.tax}?format=excel`, 'format'],
  [plainRoutes.tax, 'format'],
])('%s is refused under its field', async (url, field) => {
  const { statusCode, body } = await world.app.inject({
    url,
    headers: { cookie: users[0]?.cookie ?? '' },
  })
  expect([statusCode, (JSON.parse(body) as { field: string }).field]).toEqual([400, field])
})

const statusOf = async (user: TestUser, year: string): Promise<number> =>
  (await user.ask('getStatement', { query: { year } })).status

test('future years, and years before the account or the recorded prices, are refused', async () => {
  const [user] = users
  if (!user) throw new Error('a user walked')
  const { sql } = world.context
  for (const year of ['1000', '2023', '2026', '199999'])
    expect([year, await statusOf(user, year)]).toEqual([year, 404])
  const { headers, url } = {
    headers: { cookie: user.cookie },
    url: `${plainRoutes.year}?year=2026`,
  }
  expect((await world.app.inject({ url, headers })).statusCode).toBe(404)
  const [clock] = await sql<{ marketTime: Date }[]>`select market_time from market_clock`
  if (!clock) throw new Error('the market has a time')
  // Prices are known for two to three years: here since 18 December 2025.
  await sql`update market_clock set market_time = ${new Date(Date.UTC(2028, 5, 1))}`
  try {
    const { years } = await user.call('getStatement', { query: { year: '2026' } })
    expect(years.map(({ year }) => year)).toEqual(['2028', '2027', '2026'])
    expect([await statusOf(user, '2025'), await statusOf(user, '2024')]).toEqual([404, 404])
  } finally {
    await sql`update market_clock set market_time = ${clock.marketTime}`
  }
})
