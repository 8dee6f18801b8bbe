import { afterAll, beforeAll, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { keepRecord } from './keep-record.ts'
import { createWorld, type World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  world.context.record = keepRecord({ ...world.context, restFactor: 0 })
  await world.hours(2)
})
afterAll(() => world.close())

const strategyNow = () => world.stranger().call('getStrategyNow')

/** The record is read in the background, so that no answer waits for it. */
async function recordNow(): Promise<string> {
  for (;;) {
    const { record } = await strategyNow()
    if (record !== 'Track record') return record
  }
}

test('before the first bot there is no record; afterwards it is that of the strategy', async () => {
  expect(await recordNow()).toBe('Track record: none yet')
  const ada = await world.user()
  await ada.deposit('1000')
  const body = {
    name: 'Steady',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '500',
  } as const
  await ada.call('createBot', { body })
  await world.hours(30)
  const record = await world.stranger().call('getTrackRecord')
  if (record.state !== 'figures') throw new Error(record.sentence)
  const moderate = record.strategies.find(({ strategy }) => strategy === 'trend-moderate')
  const { real } = required(moderate, 'moderate')
  const [, shown = ''] = /^1-day record: ([+−].+)%$/.exec(await recordNow()) ?? []
  const gain = Number(real)
  expect(Number(shown.replace('−', '-'))).toBeCloseTo(gain > 0 ? gain * 0.85 : gain, 1)
})

test('visitors see what a bot of this strategy sees: trends, share and next price', async () => {
  const ada = await world.user()
  await ada.deposit('1000')
  const body = {
    name: 'Same',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '500',
  } as const
  const { id } = await ada.call('createBot', { body })
  await world.hours(1)
  const { holdings, bot } = await ada.call('getBotPerformance', { params: { id } })
  const [btc] = holdings
  const now = await strategyNow()
  expect(now.pair).toBe('BTC/USDT')
  expect(now.trends).toEqual(btc?.next?.trends)
  expect(now.percent).toBe(Number(btc?.wantedPercent))
  const { next } = required(btc, 'a holding')
  const prices = [next?.above, next?.below].flatMap((move) => (move ? [move.price] : []))
  expect(prices.some((price) => now.doing.replaceAll(',', '').includes(price))).toBe(true)
  expect(now.doing).toMatch(/^\d of 4 trends up\. (Buys|Sells) /)
  const [trends] = /^\d of 4/.exec(now.doing) ?? []
  expect(bot.doing).toContain(trends)
})
