import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAIRS } from '#core/market/pair.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { createWorld, type TestUser, type World } from './world.ts'

let world: World
let user: TestUser
beforeAll(async () => {
  world = await createWorld()
  user = await world.user()
  await user.deposit('1000')
  for (const riskLevel of RISK_LEVELS) {
    for (const pairs of [...PAIRS.map((pair) => [pair]), PAIRS.slice(0, 4)]) {
      await user.call('createBot', {
        body: {
          name: pairs.join(' and ').slice(0, 40),
          riskLevel,
          tradingPairs: pairs,
          investmentAmount: '20',
        },
      })
    }
  }
})
afterAll(() => world.close())

/** Each bot's reason for holding no coins, and what its holdings and its strategy say. */
async function reasons() {
  const bots = (await user.call('getPortfolio')).bots
  return Promise.all(
    bots.map(async ({ id, waiting }) => {
      const { holdings, tradeCount } = await user.call('getBotPerformance', { params: { id } })
      const holdsCoins = holdings.some(({ quantity }) => Number(quantity) > 0)
      const isOut = holdings.every(({ wantedPercent }) => wantedPercent === '0.00')
      return { id, waiting, tradeCount, expected: holdsCoins ? null : isOut ? 'trend' : 'purchase' }
    }),
  )
}

test('a bot waits for a trend while its target exposure is zero, until its first buy', async () => {
  const seen = new Set<string | null>()
  const before = await reasons()
  for (const { waiting, expected } of before) expect(waiting).toBe(expected)
  expect(
    new Set(before.map(({ waiting }) => waiting)),
    'before the engine has served them',
  ).toEqual(new Set(['trend', 'purchase']))
  for (let day = 0; day < 8; day += 1) {
    await world.hours(24)
    const now = await reasons()
    for (const { waiting, expected } of now) expect(waiting).toBe(expected)
    for (const { waiting, tradeCount } of now) if (tradeCount === 0) expect(waiting).not.toBe(null)
    for (const { waiting } of now) seen.add(waiting)
  }
  expect(seen).toEqual(new Set([null, 'trend']))
})

test('a paused bot is not shown as waiting', async () => {
  const [bot] = (await user.call('listBots')).filter(({ waiting }) => waiting === 'trend')
  expect(bot).toBeDefined()
  expect(
    (await user.call('updateBot', { params: { id: bot?.id }, body: { isActive: false } })).waiting,
  ).toBe(null)
})
