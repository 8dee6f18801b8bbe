import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import {
  NO_LOTS,
  orderOfBlock,
  planJoins,
  planPool,
  planPools,
  type Lots,
  type Party,
  type PoolInput,
} from './plan.ts'
import type { Pool } from './pool.ts'

const market = { price: units('60000'), costs: VENUE_COSTS.binance }
/** $1,000 in total, 60 % of it in coins. */
const POOL: Pool = { cash: units('400'), base: units('0.01'), units: 10n ** 15n, appliedBps: 6_000 }
const QUARTER: Lots = { ...NO_LOTS, leaving: { units: 25n * 10n ** 13n, members: 3 } }
const STAYING = 75n * 10n ** 13n
const NO_PLAN = { sell: [], buy: [], served: [], later: [] }

const input = (changes: Partial<PoolInput>): PoolInput => ({
  id: 7,
  pool: POOL,
  lots: NO_LOTS,
  exposureBps: 6_000,
  ...changes,
})

test('without lots, no member is moving', () => {
  const nobody = { members: 0 }
  expect(NO_LOTS).toEqual({
    joining: { cash: 0n, ...nobody },
    leaving: { units: 0n, ...nobody },
    own: { base: 0n, ...nobody },
  })
})

test('without a new target exposure or moving members, a pool trades nothing', () => {
  expect(planPools([input({})], market)).toEqual(NO_PLAN)
})

test('leavers and the strategy sell in one order, each its own part of the coins', () => {
  expect(planPools([input({ lots: QUARTER, exposureBps: 0 })], market)).toEqual({
    ...NO_PLAN,
    sell: [
      {
        pool: 7,
        as: 'leave',
        orderQuantity: units('0.0025'),
        members: 3,
        weight: 25n * 10n ** 13n,
        exposureBps: 0,
      },
      {
        pool: 7,
        as: 'strategy',
        orderQuantity: units('0.0075'),
        members: 0,
        weight: STAYING,
        exposureBps: 0,
      },
    ],
  })
})

test('the strategy brings the pool without its leavers to the target exposure', () => {
  // The rest is $300 and 0.0075 BTC, $750 in total. Half of it in coins means selling $75, 0.00125
  // BTC.
  const { sell } = planPools([input({ lots: QUARTER, exposureBps: 5_000 })], market)
  expect(sell.map(({ as, orderQuantity }) => [as, orderQuantity])).toEqual([
    ['leave', units('0.0025')],
    ['strategy', units('0.00125')],
  ])
})

test('a purchase waits until the leavers have left', () => {
  expect(planPools([input({ lots: QUARTER, exposureBps: 9_000 })], market)).toEqual({
    ...NO_PLAN,
    sell: [
      {
        pool: 7,
        as: 'leave',
        orderQuantity: units('0.0025'),
        members: 3,
        weight: 25n * 10n ** 13n,
        exposureBps: 9_000,
      },
    ],
    later: [7],
  })
})

test('a pool without leavers buys at once', () => {
  const order = planPool(POOL, { ...market, exposureBps: 8_000 })
  expect(planPools([input({ exposureBps: 8_000 })], market)).toEqual({
    ...NO_PLAN,
    buy: [
      {
        pool: 7,
        as: 'strategy',
        orderQuantity: order?.quantity,
        members: 0,
        weight: POOL.units,
        exposureBps: 8_000,
      },
    ],
  })
  // $200 at 60,042, the expected price.
  expect(order).toEqual({ side: 'buy', quantity: 333_100n })
})

test('if everybody leaves, the strategy trades nothing', () => {
  const lots = { ...NO_LOTS, leaving: { units: POOL.units, members: 9 } }
  expect(planPools([input({ lots, exposureBps: 0 })], market)).toEqual({
    ...NO_PLAN,
    sell: [
      {
        pool: 7,
        as: 'leave',
        orderQuantity: units('0.01'),
        members: 9,
        weight: POOL.units,
        exposureBps: 0,
      },
    ],
  })
})

test('leavers whose part is less than one unit of base sell nothing', () => {
  const lots = { ...NO_LOTS, leaving: { units: 10n ** 8n, members: 1 } }
  expect(planPools([input({ lots })], market).sell).toEqual([])
})

test('own coins of bots are sold in the same order as the leavers', () => {
  const lots = { ...QUARTER, own: { base: units('0.3'), members: 2 } }
  expect(planPools([input({ lots })], market)).toEqual({
    ...NO_PLAN,
    sell: [
      {
        pool: 7,
        as: 'leave',
        orderQuantity: units('0.0025'),
        members: 3,
        weight: 25n * 10n ** 13n,
        exposureBps: 6_000,
      },
      {
        pool: 7,
        as: 'own',
        orderQuantity: units('0.3'),
        members: 2,
        weight: units('0.3'),
        exposureBps: 6_000,
      },
    ],
  })
})

test('a target exposure whose order would be empty counts as applied', () => {
  const pool = { ...POOL, cash: 4n }
  expect(planPools([input({ pool, exposureBps: 9_000 })], market)).toMatchObject({
    served: [],
    sell: [{ as: 'strategy' }],
  })
  expect(planPools([input({ pool, exposureBps: 10_000 })], market)).toEqual({
    ...NO_PLAN,
    served: [{ id: 7, exposureBps: 10_000 }],
  })
  expect(
    planPools([input({ pool: { ...POOL, base: 0n, cash: 0n }, exposureBps: 10_000 })], market),
  ).toMatchObject({ served: [{ id: 7 }] })
})

test('an empty pool trades nothing', () => {
  expect(
    planPools(
      [input({ pool: { cash: 0n, base: 0n, units: 0n, appliedBps: 0 }, exposureBps: 9_000 })],
      market,
    ),
  ).toEqual(NO_PLAN)
})

test('pools of one pair sell and buy independently in the same plan', () => {
  const plan = planPools(
    [input({ id: 1, exposureBps: 0 }), input({ id: 2, exposureBps: 8_000 }), input({ id: 3 })],
    market,
  )
  expect([plan.sell.map(({ pool }) => pool), plan.buy.map(({ pool }) => pool)]).toEqual([[1], [2]])
})

test('joiners buy the current mix of the pool, whatever its target exposure', () => {
  const lots = { ...NO_LOTS, joining: { cash: units('100') + 4n, members: 5 } }
  const orderQuantity = 99_898n
  expect(planJoins([input({ lots, exposureBps: 0 })], market)).toEqual([
    { pool: 7, as: 'join', orderQuantity, members: 5, weight: units('100') + 4n, exposureBps: 0 },
  ])
})

test('there is no joining order for a pool without coins, or without joiners', () => {
  const lots = { ...NO_LOTS, joining: { cash: units('100'), members: 5 } }
  expect(
    planJoins([input({ lots, pool: { ...POOL, base: 0n } }), input({ lots: NO_LOTS })], market),
  ).toEqual([])
})

const party = (as: Party['as']): Party => ({
  pool: 7,
  as,
  orderQuantity: 1n,
  members: 1,
  weight: 1n,
  exposureBps: 0,
})
const SETTLED = { price: units('1'), reason: 'delisted' }

test.each([
  ['yes', false, ['strategy', 'leave', 'own'], 'venue'],
  ['too-small', false, ['leave', 'own'], 'house'],
  ['too-small', true, ['leave', 'own'], 'house'],
  ['closed', false, [], 'house'],
  ['closed', true, ['leave', 'own'], 'operator'],
] as const)(
  'if the venue answers %s (settlement: %s), %j trade with the %s',
  (answer, isSettled, traded, filledBy) => {
    const parties = (['strategy', 'leave', 'own'] as const).map(party)
    expect(orderOfBlock(parties, { answer, settlement: isSettled ? SETTLED : undefined })).toEqual({
      parties: traded.map(party),
      filledBy,
      settlement: filledBy === 'operator' ? SETTLED : undefined,
      isLeft: answer !== 'yes',
      isClosed: answer === 'closed',
    })
  },
)

test('an order without parties leaves nobody waiting, even if the pair is closed', () => {
  expect(orderOfBlock([], { answer: 'closed' })).toMatchObject({ isLeft: false, isClosed: false })
})
