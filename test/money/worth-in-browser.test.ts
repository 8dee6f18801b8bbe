import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PoolStates } from '#contract/holdings.ts'
import type { BotPerformance } from '#contract/bots.ts'
import type { BalanceCurve, Portfolio } from '#contract/market.ts'
import { performanceAt } from '#app/api/bot-at.ts'
import { portfolioAt } from '#app/api/portfolio-at.ts'
import type { Pair } from '#core/market/pair.ts'
import { curveAt } from '#app/api/curve-at.ts'
import { listen } from '#server/events/bus.ts'
import { withCurve } from '../world/balance-curve.ts'
import { lengthOf } from '../world/length.ts'
import { randomFrom, SEED } from '../world/random.ts'
import { takeStep, type Walk, type Walker } from './random-operations.ts'
import { createWorld, feedOfSeed, type World } from '../world/world.ts'

const STEPS = lengthOf({ usual: 60, full: 600 })
const ROUNDS = lengthOf({ usual: 12, full: 120 })
const USERS = 3
const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT']

let world: World
/** States as the server sends them to all browsers. */
let states: PoolStates = {}
let stop: () => Promise<void>
beforeAll(async () => {
  const feed = { ...feedOfSeed(SEED), pairs: PAIRS }
  world = await createWorld({
    feed,
    config: { INTENTS_PER_HOUR: 1_000_000, CASH_YIELD_BPS: 400, CASH_YIELD_SOURCE: 'A test' },
  })
  stop = await listen(world.context.events, {
    onEvent: ({ name, data }) =>
      (states = { ...states, ...(name === 'pools' ? (data as PoolStates | undefined) : {}) }),
    onListening: () => undefined,
  })
})
afterAll(async () => {
  await stop()
  await world.close()
})

async function startWalk(): Promise<Walk> {
  const walkers: Walker[] = []
  for (let number = 0; number < USERS; number += 1) {
    const user = await world.user()
    await user.deposit('3000')
    for (const name of ['Wide', 'Narrow'])
      await user.call('createBot', {
        body: {
          name,
          strategy: number === 1 ? 'balanced' : 'trend',
          riskLevel: 'aggressive',
          tradingPairs: PAIRS,
          investmentAmount: `${700 + number}.37`,
        },
      })
    walkers.push({
      user,
      intents: [],
      bots: [],
      accounts: [await user.addBankAccount()],
      withdrawals: [],
    })
  }
  await world.hours(48)
  return { world, random: randomFrom(SEED), walkers }
}

type Answers = { portfolio: Portfolio; past: BalanceCurve; performances: BotPerformance[] }

async function answersFor({ user }: Walker): Promise<Answers> {
  const portfolio = await user.call('getPortfolio')
  const past = await user.call('getBalanceCurve', { query: { range: 'All' } })
  const performances = await Promise.all(
    portfolio.bots.map(({ id }) => user.call('getBotPerformance', { params: { id } })),
  )
  return { portfolio, past, performances }
}

/** Any prices, also such that a bot gains or loses nearly everything. */
async function drawPrices({ random }: Walk): Promise<void> {
  for (const pair of PAIRS)
    await world.context
      .sql`update market_tickers set price = ${random.units(10n ** 13n)} where pair = ${pair}`
  await world.context.market.refresh()
}

const ofPortfolio = ({
  totalBalance,
  investedBalance,
  firstStep,
  bots,
  curve,
  change,
  dailyChange,
}: ReturnType<typeof withCurve>) => ({
  totalBalance,
  firstStep,
  investedBalance,
  bots: bots.map(ofBot),
  end: curve.at(-1),
  change,
  dailyChange,
})

const ofBot = ({
  id,
  equity,
  closingFee,
  investmentAmount,
  totalProfit,
  totalReturn,
}: Portfolio['bots'][number]) => ({
  id,
  equity,
  closingFee,
  investmentAmount,
  totalProfit,
  totalReturn,
})

const ofPerformance = ({
  bot,
  holdings,
  months,
  equityCurve,
  buyAndHoldCurve,
}: BotPerformance) => ({
  bot: ofBot(bot),
  months,
  holdings: holdings.map(({ pair, cash, quantity, value }) => ({ pair, cash, quantity, value })),
  ends: [equityCurve.at(-1), buyAndHoldCurve.at(-1)],
})

/** Nothing changed for this user: the bots hold as many units, and as much outside of pools. */
const ownOf = ({
  portfolio: { botHoldings, availableBalance, heldBalance },
}: Pick<Answers, 'portfolio'>) => ({
  botHoldings,
  availableBalance,
  heldBalance,
})

test(`the browser computes what the server would answer, to the cent (seed ${SEED})`, async () => {
  const walk = await startWalk()
  for (let step = 0; step < STEPS; step += 1) await takeStep(walk)
  const seen = { compared: 0, traded: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await Promise.all(walk.walkers.map(answersFor))
    const known = { ...states }
    if (round % 2 === 0) await drawPrices(walk)
    else await world.hours(1 + walk.random.below(9))
    const prices = await walk.walkers[0]?.user.call('getPrices')
    const after = await Promise.all(walk.walkers.map(answersFor))
    for (const [place, { portfolio, past, performances }] of before.entries()) {
      const now = after[place]
      if (!prices || !now || JSON.stringify(ownOf(now)) !== JSON.stringify(ownOf({ portfolio })))
        continue
      const market = { prices, states }
      const moved = portfolioAt(portfolio, market)
      expect(
        ofPortfolio(withCurve(moved, curveAt(past, moved))),
        `round ${round}, user ${place}`,
      ).toEqual(ofPortfolio(withCurve(now.portfolio, now.past)))
      for (const [index, performance] of performances.entries()) {
        expect(
          ofPerformance(performanceAt(performance, market)),
          `round ${round}, user ${place}, bot ${index}`,
        ).toEqual(ofPerformance(now.performances[index] ?? performance))
      }
      seen.compared += 1
      if (Object.keys(portfolio.pools).some((id) => states[id] !== known[id])) seen.traded += 1
    }
  }
  expect(seen.compared).toBeGreaterThan(ROUNDS)
  expect(seen.traded, 'in some rounds, pools of the user traded').toBeGreaterThan(0)
})
