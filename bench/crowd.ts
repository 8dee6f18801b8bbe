import { pino } from 'pino'
import { assert } from '#core/assert.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import type { RouteName } from '#contract/routes.ts'
import { readConfig } from '#server/config.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import { openContext } from '#server/open-context.ts'
import { openWorld, SETTINGS, TEST_CARD, type TestUser, type World } from '../test/world.ts'
import { populate, withDatabase } from './database.ts'
import { median, milliseconds, report, timeOf } from './report.ts'

/**
 * The cost of one user's calls among few and among many other users: each call should read the
 * user's own rows only. From sign-up to withdrawal in one process, without network, 20 users one
 * after the other, medians.
 */

const FEW = 1_000
const MANY = Number(process.env['BENCH_USERS'] ?? 100_000)
const VISITORS = 20
const TARGET = 2
/**
 * Faster calls are not held to the ratio: timer resolution and garbage collection dominate them.
 */
const FAST_MS = 3

export type Times = Map<string, number[]>

export async function run(): Promise<void> {
  const few = await measure(FEW)
  const many = await measure(MANY)
  for (const [name, times] of many) {
    const [among, alone] = [median(times), median(few.get(name) ?? [])]
    report({
      name: `crowd, ${name} among ${MANY.toLocaleString('en')} users`,
      measured: milliseconds(among),
      ratio:
        `${(among / alone).toFixed(2)} × among ${FEW.toLocaleString('en')}, ` + milliseconds(alone),
      target: {
        text: `≤ ${TARGET} × or ≤ ${FAST_MS} ms`,
        met: among <= Math.max(FAST_MS, TARGET * alone),
      },
    })
  }
}

async function measure(users: number): Promise<Times> {
  return withDatabase(async (sql) => {
    await populate(sql, {
      users,
      bots: users,
      pairs: PAIRS,
      strategies: STRATEGY_KEYS,
      pairsEach: 1,
    })
    const config = readConfig({ ...SETTINGS, MARKET_FEED: 'simulated' })
    const world = await openWorld(openContext({ config, sql, log: pino({ level: 'warn' }) }), () =>
      Promise.resolve(),
    )
    const times: Times = new Map()
    await world.hours(24)
    await sql`vacuum analyze`
    for (let visitor = 0; visitor < VISITORS; visitor += 1) await visit(world, times, visitor)
    assert((await recompute(sql)).length === 0, 'the book is in order')
    await world.app.close()
    return times
  })
}

export async function visit(world: World, times: Times, visitor: number): Promise<void> {
  const clock = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    let result: Result | undefined
    const ms = await timeOf(async () => (result = await work()))
    times.set(name, [...(times.get(name) ?? []), ms])
    return result as Result
  }
  const user = await clock('signup', () => world.user(`visitor${visitor}`))
  const call: TestUser['call'] = (name, request) => clock(name, () => user.call(name, request))
  const { clientSecret, paymentIntentId } = await call('createPaymentIntent', {
    body: { amount: '1000' },
  })
  await call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
  await call('confirmDeposit', { body: { paymentIntentId, amount: '1000' } })
  const bot = await call('createBot', {
    body: { name: 'Steady', riskLevel: 'moderate', tradingPairs: PAIRS, investmentAmount: '500' },
  })
  await clock('one bot joins its pools', () => world.serve())
  const bankAccountId = await user.addBankAccount()
  const reads: RouteName[] = [
    'getUser',
    'getPortfolio',
    'listBots',
    'listTransactions',
    'listBankAccounts',
    'getWithdrawalTerms',
    'listWithdrawals',
    'listSessions',
    'getPrices',
  ]
  for (const name of reads) await call(name)
  const { id } = bot
  await call('getBotPerformance', { params: { id } })
  await call('listBotTrades', { params: { id } })
  await call('simulateBot', { params: { id } })
  await call('updateBot', { params: { id }, body: { isActive: false } })
  await call('updateBot', { params: { id }, body: { isActive: true } })
  const { id: withdrawal } = await call('requestWithdrawal', {
    body: { amount: '100', bankAccountId },
  })
  await call('cancelWithdrawal', { params: { id: withdrawal } })
  await call('requestWithdrawal', { body: { amount: '50', bankAccountId } })
  await clock('jobs pay one withdrawal', () => world.payOut())
  await call('askHelp', { body: { message: 'what is my balance?' } })
  await call('deleteBot', { params: { id } })
  await clock('one bot leaves its pools', () => world.serve())
  await clock('the market advances by a second, no hour closes', () =>
    world.engine.advanceTo(world.engine.nowMs() + HOUR_MS / 60 / 60),
  )
  await call('logout')
}
