import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { createRisingWorld } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

let world: World
let ada: TestUser
let steady = ''
let late = ''
beforeAll(async () => {
  world = await createRisingWorld()
  ada = await world.user('ada')
  await ada.deposit('5000')
  const bot = {
    name: 'Steady',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT', 'XRP/USDT'],
    investmentAmount: '400',
  }
  steady = (await ada.call('createBot', { body: bot })).id
  await world.hours(30)
  late = (await ada.call('createBot', { body: { ...bot, name: 'Late', riskLevel: 'aggressive' } }))
    .id
  await world.hours(40)
})
afterAll(() => world.close())

const compared = (id: string, query: { with?: string } = {}) =>
  ada.call('compareBot', { params: { id }, query })
const numbers = (curve: { percent: string }[]) => curve.map(({ percent }) => Number(percent))

test('a bot is compared with the first other risk level over the same hours', async () => {
  const { bot, other, strategies, disclaimer, from, to, ...rest } = await compared(steady)
  expect([rest.with, strategies]).toEqual([
    'trend-conservative',
    STRATEGY_KEYS.filter((key) => key !== 'trend-moderate'),
  ])
  expect([bot.name, bot.hypothetical, other.name, other.hypothetical, other.riskLevel]).toEqual([
    'Steady',
    false,
    'Conservative',
    true,
    'conservative',
  ])
  expect(other.tradingPairs).toEqual(bot.tradingPairs)
  expect(disclaimer).toMatch(/^Hypothetical/)
  expect(bot.curve.map(({ at }) => at)).toEqual(other.curve.map(({ at }) => at))
  expect([bot.curve[0]?.at, bot.curve.at(-1)?.at]).toEqual([from, to])
  expect([bot.curve[0]?.percent, other.curve[0]?.percent]).toEqual(['0.00', '0.00'])
  expect([bot.change, other.change]).toEqual([
    bot.curve.at(-1)?.percent,
    other.curve.at(-1)?.percent,
  ])
  expect(Number(bot.change)).toBeGreaterThan(Number(other.change))
})

test("a replay with the bot's own rules grows like the bot itself", async () => {
  const { bot } = await compared(late, { with: 'trend-moderate' })
  const { other } = await compared(steady, { with: 'trend-aggressive' })
  const lately = (curve: { at: string; percent: string }[]) =>
    curve.filter(({ at }) => Date.parse(at) >= Date.parse(bot.curve[5]?.at ?? ''))
  const [first, ...rest] = numbers(lately(other.curve))
  expect(rest.length).toBeGreaterThan(20)
  const grown = (((rest.at(-1) ?? 0) - (first ?? 0)) / (100 + (first ?? 0))) * 100
  const [ownFirst, ...own] = numbers(lately(bot.curve))
  const ownGrown = (((own.at(-1) ?? 0) - (ownFirst ?? 0)) / (100 + (ownFirst ?? 0))) * 100
  expect(Math.abs(grown - ownGrown)).toBeLessThan(0.3)
})

test('two bots start at zero in the first full hour in which both ran', async () => {
  const { bot, other, from, disclaimer, bots } = await compared(steady, { with: late })
  expect([bot.name, other.name, other.hypothetical, disclaimer]).toEqual([
    'Steady',
    'Late',
    false,
    null,
  ])
  expect(bots).toEqual([{ id: late, name: 'Late' }])
  expect([numbers(bot.curve)[0], numbers(other.curve)[0]]).toEqual([0, 0])
  expect(other.curve).toHaveLength(bot.curve.length)
  expect(bot.curve.length).toBe(
    (Date.parse(bot.curve.at(-1)?.at ?? '') - Date.parse(from)) / HOUR_MS + 1,
  )
  const mirrored = await compared(late, { with: steady })
  expect([mirrored.bot.change, mirrored.other.change]).toEqual([other.change, bot.change])
})

test('money put in or taken out does not count as growth', async () => {
  const before = await compared(steady, { with: late })
  await ada.call('topUpBot', { params: { id: steady }, body: { amount: '2000' } })
  await world.serve()
  const { bot } = await compared(steady, { with: late })
  for (const [index, percent] of numbers(bot.curve).entries())
    expect(
      Math.abs(percent - (numbers(before.bot.curve)[index] ?? 0)),
      `point ${index}`,
    ).toBeLessThan(0.5)
})

test('in its first hour a bot cannot be compared yet', async () => {
  const body = {
    name: 'New',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '50',
  }
  const { id } = await ada.call('createBot', { body })
  const { bot, other, from, to } = await compared(id)
  expect([bot.curve, other.curve, bot.change, from]).toEqual([[], [], '0.00', to])
})

test("another user's bot, an unknown bot and the bot itself cannot be compared", async () => {
  const eve = await world.user()
  expect(await eve.ask('compareBot', { params: { id: steady } })).toMatchObject({
    status: 404,
    body: { code: 'not-found' },
  })
  await eve.deposit('100')
  const evesBot = (
    await eve.call('createBot', {
      body: {
        name: 'Hers',
        riskLevel: 'moderate',
        tradingPairs: ['BTC/USDT'],
        investmentAmount: '50',
      },
    })
  ).id
  for (const other of [evesBot, steady, 'moderate', 'reckless', '', "' or 1=1", '0']) {
    const answer = await ada.ask('compareBot', { params: { id: steady }, query: { with: other } })
    expect({ other, ...answer }).toMatchObject({
      other,
      status: 404,
      body: { code: 'not-found', field: 'with' },
    })
  }
})

test('after a change of settings, a bot is compared since that change', async () => {
  const body = {
    name: 'Changed',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '50',
  }
  const { id } = await ada.call('createBot', { body })
  const settle = async () => {
    await world.hours(3)
    for (let round = 0; round < 4; round += 1) await world.serve()
  }
  await settle()
  expect((await compared(id)).bot).toMatchObject({ riskLevel: 'moderate', settingsSince: null })
  const changedAt = (await compared(id)).to
  for (const settings of [{ riskLevel: 'aggressive' }, { tradingPairs: ['XRP/USDT'] }]) {
    const before = (await compared(id)).bot.settingsSince ?? ''
    await ada.call('updateBot', { params: { id }, body: settings })
    await settle()
    const { bot, other, to } = await compared(id)
    expect(bot).toMatchObject(settings)
    const since = bot.settingsSince ?? ''
    expect([since >= changedAt, since > before, since < to, other.settingsSince]).toEqual([
      true,
      true,
      true,
      null,
    ])
  }
})
