import { afterAll, beforeAll, expect, test } from 'vitest'
import { performanceAt } from '#app/api/bot-at.ts'
import { portfolioAt } from '#app/api/portfolio-at.ts'
import { DUST } from '#core/money/cents.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { withCurve } from '../world/balance-curve.ts'
import { lengthOf } from '../world/length.ts'
import { randomFrom, SEED, type Random } from '../world/random.ts'
import { createFallingWorld } from '../world/small-book.ts'
import type { TestUser, World } from '../world/world.ts'

/** Money of bots in a market without an up trend, which never buys a coin. */

const STEPS = lengthOf({ usual: 24, full: 240 })
const PAIRS = ['BTC/USDT', 'XRP/USDT']

let world: World
beforeAll(async () => {
  world = await createFallingWorld({ CASH_YIELD_BPS: 400, CASH_YIELD_SOURCE: 'A test' })
  // Interest makes a pool's cash per unit fractional, so that joining and leaving round.
  const earlier = await world.user()
  await earlier.deposit('777.77')
  for (const riskLevel of ['conservative', 'moderate', 'aggressive']) {
    await earlier.call('createBot', {
      body: { name: riskLevel, riskLevel, tradingPairs: PAIRS, investmentAmount: '123.45' },
    })
  }
  await world.hours(25)
})
afterAll(() => world.close())

type Bot = { id: string }

/**
 * Actions of an owner that only move money between the bot and the balance. No midnight passes, so
 * no interest is paid.
 */
const DEEDS: readonly ((user: TestUser, bot: Bot, random: Random) => Promise<unknown>)[] = [
  (user, { id }) => user.ask('updateBot', { params: { id }, body: { isActive: false } }),
  (user, { id }) => user.ask('updateBot', { params: { id }, body: { isActive: true } }),
  (user, { id }, random) =>
    user.ask('takeOutOfBot', { params: { id }, body: { percent: 1 + random.below(99) } }),
  (user, { id }, random) =>
    user.ask('topUpBot', {
      params: { id },
      body: { amount: unitsToDecimal(BigInt(100 + random.below(900)) * 1_000_000n, 2) },
    }),
  (user, { id }, random) =>
    user.ask('updateBot', {
      params: { id },
      body: {
        riskLevel: random.pick(['conservative', 'moderate', 'aggressive']),
        tradingPairs: random.pick([PAIRS, PAIRS.slice(0, 1)]),
      },
    }),
  (user) =>
    user.ask('createBot', {
      body: {
        name: 'Another',
        riskLevel: 'moderate',
        tradingPairs: PAIRS,
        investmentAmount: '1.01',
      },
    }),
  (user, { id }) => user.ask('deleteBot', { params: { id } }),
]

/** Checks every figure of a user's money: nothing was lost, to the cent. */
async function expectWhole(
  user: TestUser,
  { deposited, step }: { deposited: string; step: string },
): Promise<void> {
  const portfolio = await user.call('getPortfolio')
  const past = await user.call('getBalanceCurve', { query: { range: 'All' } })
  const market = { prices: await user.call('getPrices'), states: {} }
  for (const shown of [portfolio, portfolioAt(portfolio, market)]) {
    const parts = [
      shown.availableBalance,
      shown.heldBalance,
      ...shown.bots.map(({ equity }) => equity),
    ]
    const listed = parts.reduce((sum, part) => sum + decimalToUnits(part), 0n)
    const { change } = withCurve(shown, past)
    expect([shown.totalBalance, unitsToDecimal(listed, 2), change], `${step}`).toEqual([
      deposited,
      deposited,
      { amount: '0.00', percent: '0.00' },
    ])
    for (const bot of shown.bots)
      expect([bot.totalProfit, bot.totalReturn, bot.equity], `${step}`).toEqual([
        '0.00',
        '0.00',
        bot.investmentAmount,
      ])
  }
  for (const { id } of portfolio.bots) {
    const performance = await user.call('getBotPerformance', { params: { id } })
    for (const { bot, holdings, equityCurve } of [
      performance,
      performanceAt(performance, market),
    ]) {
      expect([bot.totalProfit, equityCurve.at(-1)?.value], `${step}`).toEqual(['0.00', bot.equity])
      // Each pair has fractions of a cent, so only a single pair adds up by itself.
      if (holdings.length === 1) expect(holdings[0]?.cash, `${step}`).toBe(bot.equity)
    }
  }
}

test(`money that never bought a coin is returned whole (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const owners = await Promise.all(
    ['1000.01', '500.00'].map(async (deposited) => {
      const user = await world.user()
      await user.deposit(deposited)
      for (const investmentAmount of ['100', '33.37'])
        await user.call('createBot', {
          body: { name: 'Waits', riskLevel: 'moderate', tradingPairs: PAIRS, investmentAmount },
        })
      return { user, deposited }
    }),
  )
  await world.serve()
  for (let step = 0; step < STEPS; step += 1) {
    const { user, deposited } = random.pick(owners)
    const bots = await user.call('listBots')
    const deed = random.below(DEEDS.length)
    const bot = bots[random.below(Math.max(1, bots.length))] ?? { id: '' }
    await DEEDS[deed]?.(user, bot, random)
    await world.serve()
    await expectWhole(user, { deposited, step: `step ${step}, deed ${deed}` })
  }
  for (const { user } of owners) await user.call('stopAll')
  await world.serve()
  for (const { user, deposited } of owners)
    expect(await user.call('getUser')).toMatchObject({
      totalBalance: deposited,
      availableBalance: deposited,
      investedBalance: '0.00',
    })
  expect(await reconcile(world.context)).toEqual([])
})

test('a closed bot that never traded has all its money in History, without a fee', async () => {
  const user = await world.user()
  await user.deposit('500')
  const { id } = await user.call('createBot', {
    body: { name: 'Waits', riskLevel: 'moderate', tradingPairs: PAIRS, investmentAmount: '500' },
  })
  await world.serve()
  await user.call('takeOutOfBot', { params: { id }, body: { percent: 33 } })
  await world.serve()
  await user.call('deleteBot', { params: { id } })
  await world.serve()
  const rows = (await user.call('listTransactions')).items.filter(({ type }) => type === 'transfer')
  expect(rows.map(({ amount }) => amount)).toEqual(['335.00', '165.00', '-500.00'])
  const [cash] = await world.context.sql<
    { balance: bigint }[]
  >`select balance from ledger_accounts where user_id = ${user.id} and code = 'customer:cash'`
  const gained = (cash?.balance ?? 0n) - decimalToUnits('500')
  expect(gained >= 0n && gained < DUST, `gained ${gained}`).toBe(true)
  expect(
    await world.context
      .sql`select from platform_fees where user_id = ${user.id} and fee_amount > 0`,
  ).toEqual([])
})
