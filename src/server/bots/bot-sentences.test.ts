import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Holding } from '#contract/bots.ts'
import type { Prices } from '#contract/market.ts'
import { baseOf, PAIRS } from '#core/market/pair.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { moneyText } from '#words/figures.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

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

/** Each bot's sentence, and its expected parts, computed from its holdings and the last prices. */
async function sentences() {
  const { bots } = await user.call('getPortfolio')
  await world.context.market.refresh()
  const prices = await user.call('getPrices')
  return Promise.all(
    bots.map(async ({ id, doing }) => {
      const { holdings, tradeCount } = await user.call('getBotPerformance', { params: { id } })
      return { doing: doing ?? '', tradeCount, parts: partsOf(holdings, prices) }
    }),
  )
}

const WAITING = 'Waiting to buy at the next price.'

function partsOf(holdings: readonly Holding[], prices: Prices): string[] {
  const isInCash = holdings.every(({ quantity }) => Number(quantity) === 0)
  if (isInCash && holdings.some(({ wantedPercent }) => wantedPercent !== '0.00')) return [WAITING]
  const trends = holdings.flatMap(({ next }) => next?.trends ?? [])
  if (!isInCash && trends.length > 0)
    return [`${trends.filter(({ isUp }) => isUp).length} of ${trends.length} price trends are up.`]
  const moves = holdings.flatMap(({ pair, wantedPercent, next }) => {
    const [coin, now] = [baseOf(pair), Number(prices[baseOf(pair)]?.price)]
    if (next === null) return []
    if (next.percent !== Number(wantedPercent))
      return [{ away: -1, parts: ['At the next check', coin] }]
    return [next.above, next.below].flatMap((move) =>
      move ? [{ away: tenths(move.price, now), parts: [coin, shown(move.price)] }] : [],
    )
  })
  const [nearest] = moves.toSorted((a, b) => a.away - b.away)
  return [...(isInCash ? ['In cash.'] : []), ...(nearest?.parts ?? [])]
}

/** In tenths of a percent, as screens show distances. */
const tenths = (price: string, now: number): number =>
  Math.floor((Math.abs(Number(price) - now) / now) * 1_000)

const shown = (price: string): string =>
  moneyText({ amount: price, precision: price.includes('.') ? 'price' : 'whole' })

test('each bot has a sentence: why it waits or holds coins, or its nearest trade', async () => {
  const seen = new Set<string>()
  for (let day = 0; day <= 8; day += 1) {
    for (const { doing, tradeCount, parts } of await sentences()) {
      for (const part of parts) expect(doing).toContain(part)
      if (parts.length === 0) expect(doing).toBe('')
      if (doing.startsWith(WAITING)) expect(tradeCount).toBe(0)
      seen.add(doing.replaceAll(/\$[\d,.]+\d|\b[A-Z]{3,4}\b/g, '…'))
    }
    await world.hours(24)
  }
  console.info([...seen].toSorted().join('\n'))
  expect(seen).toContain(WAITING)
  expect(seen).toContain('In cash. 0 of 4 trends up. Buys … above ….')
  expect([...seen].some((text) => /^[1-9]\d* of 16 price trends are up\.$/.test(text))).toBe(true)
})

test('a paused bot has no sentence about a next price', async () => {
  const bot = (await user.call('listBots')).find(({ doing }) => doing !== null)
  expect(bot).toBeDefined()
  const body = { isActive: false }
  expect((await user.call('updateBot', { params: { id: bot?.id }, body })).doing).toBe(null)
})
