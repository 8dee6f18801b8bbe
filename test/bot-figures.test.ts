import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRisingWorld } from './small-book.ts'
import type { TestUser, World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

const BOT = { name: 'Steady', riskLevel: 'aggressive', tradingPairs: ['BTC/USDT', 'XRP/USDT'], investmentAmount: '200' }

async function investor(): Promise<{ user: TestUser; id: string }> {
  const user = await world.user()
  await user.deposit('1000')
  const { id } = await user.call('createBot', { body: BOT })
  await world.hours(24)
  return { user, id }
}

const figuresOf = (user: TestUser, id: string) => user.call('getBotPerformance', { params: { id } })
const values = (curve: { value: string }[]) => curve.map(({ value }) => Number(value))

test('on a rising market, adding and taking out money is no drawdown, and the buy-and-hold curve has the same flows', async () => {
  const { user, id } = await investor()
  const before = await figuresOf(user, id)
  await user.call('topUpBot', { params: { id }, body: { amount: '300' } })
  await world.hours(24)
  const grown = await figuresOf(user, id)
  await user.call('takeOutOfBot', { params: { id }, body: { percent: 80 } })
  await world.hours(24)
  const left = await figuresOf(user, id)
  // Trading costs do count as a drawdown: a quarter of a percent, plus half of the noise.
  for (const { maxDrawdown } of [before, grown, left]) expect(Number(maxDrawdown)).toBeLessThan(0.6)
  const kept = values(grown.equityCurve).at(-1) ?? 0
  expect(kept).toBeGreaterThan(500)
  for (const { equityCurve, buyAndHoldCurve } of [before, grown, left]) {
    expect(buyAndHoldCurve.map(({ at }) => at)).toEqual(equityCurve.map(({ at }) => at))
    for (const [index, worth] of values(buyAndHoldCurve).entries()) {
      const ratio = worth / (values(equityCurve)[index] ?? 0)
      expect(ratio, `point ${index}`).toBeGreaterThan(0.98)
      expect(ratio, `point ${index}`).toBeLessThan(1.06)
    }
  }
})

test('points of the buy-and-hold curve before a top-up do not include the added money', async () => {
  const { user, id } = await investor()
  await user.call('topUpBot', { params: { id }, body: { amount: '600' } })
  await world.hours(6)
  const { buyAndHoldCurve } = await figuresOf(user, id)
  expect(values(buyAndHoldCurve)[0]).toBeCloseTo(199.6, 0)
  expect(values(buyAndHoldCurve).at(-1)).toBeGreaterThan(800)
})

test('money that was just added is in both curves, and is no drawdown', async () => {
  const { user, id } = await investor()
  await user.call('topUpBot', { params: { id }, body: { amount: '400' } })
  const { equityCurve, buyAndHoldCurve, maxDrawdown } = await figuresOf(user, id)
  for (const curve of [equityCurve, buyAndHoldCurve]) expect(values(curve).at(-1)).toBeGreaterThan(600)
  expect(Number(maxDrawdown)).toBeLessThan(0.6)
})
