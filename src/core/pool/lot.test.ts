import { expect, test } from 'vitest'
import { ONE } from '#core/money/amount.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { allocate } from '#core/trading/allocation.ts'
import { VENUE_COSTS, type TradingCosts } from '#core/trading/costs.ts'
import { interestOf, MOST_CASH_YIELD_BPS } from '#core/trading/cash-yield.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import {
  mayEarn,
  planRedemption,
  planSubscription,
  settleRedemption,
  settleSubscription,
  shareOwnSale,
  shareRedemption,
  shareSubscription,
} from './lot.ts'
import { earn, EMPTY_POOL, type Pool } from './pool.ts'

const POOL: Pool = { cash: 1_000n, base: 300n, units: 700n, appliedBps: 5_000 }
const BITCOIN: Pool = {
  cash: units('400'),
  base: units('0.01'),
  units: 10n ** 15n,
  appliedBps: 6_000,
}
const FREE: TradingCosts = { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 }
const NOTHING = { cash: 0n, base: 0n }
const UNFILLED = { quantity: 0n, total: 0n, fee: 0n }
const price = units('60000')

/** One lot's share of a block at the worst expected price. */
function dealt({
  mine,
  others,
  ...market
}: {
  mine: bigint
  others: bigint
  price: bigint
  costs: TradingCosts
}): Share {
  const { shares } = allocate({
    fill: paperFill({ ...market, side: 'buy', quantity: mine + others }),
    orderQuantities: [mine, others],
  })
  return shares[0] ?? UNFILLED
}

test('a lot buys the mix of the pool with all but four units of its cash', () => {
  expect(planSubscription({ pool: BITCOIN, cash: units('100') + 4n, price, costs: FREE })).toBe(
    units('0.001'),
  )
  expect(planSubscription({ pool: BITCOIN, cash: units('100') + 3n, price, costs: FREE })).toBe(
    units('0.00099999'),
  )
})

test('a lot allows for the spread, slippage and fee of its purchase', () => {
  // 100 × 0.01 ÷ (400 + 0.01 × 60,000 × 1.0007 × 1.001) = 0.00099898…; 99,898.06 units
  expect(
    planSubscription({ pool: BITCOIN, cash: units('100') + 4n, price, costs: VENUE_COSTS.binance }),
  ).toBe(99_898n)
})

test('a lot that joins a pool without cash spends all of its cash on coins', () => {
  const pool = { ...BITCOIN, cash: 0n }
  // 100 ÷ (60,000 × 1.0007 × 1.001) = 0.00166383…
  expect(
    planSubscription({ pool, cash: units('100') + 4n, price, costs: VENUE_COSTS.binance }),
  ).toBe(166_383n)
})

test('a lot buys nothing if the pool has no coins, or if it has too little cash', () => {
  expect(planSubscription({ pool: { ...BITCOIN, base: 0n }, cash: ONE, price, costs: FREE })).toBe(
    0n,
  )
  expect(planSubscription({ pool: EMPTY_POOL, cash: ONE, price, costs: FREE })).toBe(0n)
  expect(planSubscription({ pool: BITCOIN, cash: 4n, price: 1n, costs: FREE })).toBe(0n)
  expect(planSubscription({ pool: BITCOIN, cash: 0n, price, costs: FREE })).toBe(0n)
  expect(planSubscription({ pool: BITCOIN, cash: 603n, price, costs: FREE })).toBe(0n)
  const dear: Pool = { cash: 0n, base: 1_000n, units: 10n, appliedBps: 0 }
  expect(planSubscription({ pool: dear, cash: 103n, price: ONE, costs: FREE })).toBe(0n)
  expect(planSubscription({ pool: dear, cash: 104n, price: ONE, costs: FREE })).toBe(100n)
})

test('the coins determine the units of a lot, which pays cash for them, rounded up', () => {
  expect(
    settleSubscription({
      pool: POOL,
      offered: 100n,
      bought: { quantity: 10n, total: 50n, fee: 1n },
    }),
  ).toEqual({
    pool: { cash: 1_033n, base: 310n, units: 723n, appliedBps: 5_000 },
    units: 23n,
    spent: 83n,
  })
})

test('a pool without cash takes coins only', () => {
  expect(
    settleSubscription({
      pool: { ...POOL, cash: 0n },
      offered: 50n,
      bought: { quantity: 10n, total: 50n, fee: 1n },
    }),
  ).toEqual({
    pool: { cash: 0n, base: 310n, units: 723n, appliedBps: 5_000 },
    units: 23n,
    spent: 50n,
  })
})

test('a lot whose order was not filled spends nothing and does not join', () => {
  expect(settleSubscription({ pool: POOL, offered: 100n, bought: UNFILLED })).toEqual({
    pool: POOL,
    units: 0n,
    spent: 0n,
  })
})

test('the house pays a cent of rounding and a hundredth of the cash; more is a bug', () => {
  const bought = { quantity: 10n, total: 50n, fee: 1n }
  expect(settleSubscription({ pool: POOL, offered: 83n, bought }).spent).toBe(83n)
  expect(settleSubscription({ pool: POOL, offered: 82n, bought })).toEqual({
    ...settleSubscription({ pool: POOL, offered: 83n, bought }),
    spent: 82n,
  })
  const rich = { ...POOL, cash: POOL.cash * 100n }
  const owing = (more: bigint) =>
    settleSubscription({
      pool: rich,
      offered: 50n + 3_286n,
      bought: { ...bought, total: 50n + 1_000_000n + more },
    })
  expect(owing(32n).spent).toBe(50n + 3_286n)
  expect(() => owing(33n)).toThrow('its cash pays for them')
  expect(() =>
    settleSubscription({ pool: { ...POOL, base: 0n }, offered: 1n, bought: UNFILLED }),
  ).toThrow('joins a pool with coins')
})

test.each([
  [1, 400],
  [450, 80],
  [MOST_CASH_YIELD_BPS, 18],
])(
  'at %i basis points, a lot can be settled after a pool earned %i days of unknown outcome',
  (rateBps, days) => {
    const market = { price, costs: VENUE_COSTS.binance }
    let pool = { ...BITCOIN, cash: units('5000') }
    const offered = units('1000')
    const mine = planSubscription({ pool, cash: offered, ...market })
    const bought = dealt({ ...market, mine, others: 0n })
    let [earned, paid] = [0n, 0]
    for (let day = 1; day <= 400; day += 1) {
      const interest = interestOf(pool.cash, rateBps)
      if (mayEarn(pool, { earned, interest })) {
        pool = earn(pool, interest)
        earned += interest
        paid += 1
      }
      expect(settleSubscription({ pool, offered, bought }).spent).toBeLessThanOrEqual(offered)
    }
    expect(paid).toBe(days)
  },
)

test('if every rounding goes the wrong way, a reserve of four units suffices, not three', () => {
  const pool: Pool = { cash: 4n, base: 81n, units: 81_000n, appliedBps: 0 }
  const lot = { pool, cash: 117n, price: 282_640_563n, costs: { ...FREE, feeBps: 9_000 } }
  expect(planSubscription(lot)).toBe(20n)
  // A reserve of three would allow 21 coins, which cost 116 in a block of 23, plus 2 for the pool.
  const tooMuch = settleSubscription({
    pool,
    offered: 1_000n,
    bought: { quantity: 21n, total: 116n, fee: 55n },
  })
  expect(tooMuch.spent).toBeGreaterThan(117n)
  const bought = dealt({ ...lot, mine: 20n, others: 2n })
  expect(settleSubscription({ pool, offered: 117n, bought }).spent).toBeLessThanOrEqual(117n)
})

test('members share a joining lot by cash offered: units rounded down, payments up', () => {
  expect(shareSubscription({ units: 23n, spent: 83n, offered: [50n, 25n, 25n] })).toEqual([
    { units: 11n, paid: 42n },
    { units: 5n, paid: 21n },
    { units: 5n, paid: 21n },
  ])
})

test('a leaving lot sells its part of the coins, floored', () => {
  expect(planRedemption(POOL, 8n)).toBe(3n)
  expect(planRedemption(POOL, 2n)).toBe(0n)
})

test('a lot sold in full leaves with all of its units, and its cash rounded down', () => {
  expect(
    settleRedemption({ pool: POOL, units: 8n, sold: { quantity: 3n, total: 17n, fee: 1n } }),
  ).toEqual({
    pool: { cash: 989n, base: 297n, units: 692n, appliedBps: 5_000 },
    units: 8n,
    proceeds: 28n,
    dust: NOTHING,
  })
})

test('a lot sold in part leaves with the units of the coins sold, rounded up', () => {
  expect(
    settleRedemption({ pool: POOL, units: 8n, sold: { quantity: 2n, total: 11n, fee: 1n } }),
  ).toEqual({
    pool: { cash: 993n, base: 298n, units: 695n, appliedBps: 5_000 },
    units: 5n,
    proceeds: 18n,
    dust: NOTHING,
  })
})

test('a lot whose sale was not filled stays', () => {
  expect(settleRedemption({ pool: POOL, units: 8n, sold: UNFILLED })).toEqual({
    pool: POOL,
    units: 0n,
    proceeds: 0n,
    dust: NOTHING,
  })
})

test('a lot with nothing to sell leaves with its cash', () => {
  expect(settleRedemption({ pool: POOL, units: 2n, sold: UNFILLED })).toEqual({
    pool: { ...POOL, cash: 998n, units: 698n },
    units: 2n,
    proceeds: 2n,
    dust: NOTHING,
  })
})

test('the last lot takes everything', () => {
  expect(
    settleRedemption({ pool: POOL, units: 700n, sold: { quantity: 300n, total: 900n, fee: 1n } }),
  ).toEqual({
    pool: EMPTY_POOL,
    units: 700n,
    proceeds: 1_900n,
    dust: NOTHING,
  })
})

test('a coin left behind by the last units is dust', () => {
  const pool: Pool = { cash: 7n, base: 10n, units: 3n, appliedBps: 5_000 }
  expect(settleRedemption({ pool, units: 3n, sold: { quantity: 9n, total: 9n, fee: 0n } })).toEqual(
    {
      pool: EMPTY_POOL,
      units: 3n,
      proceeds: 16n,
      dust: { cash: 0n, base: 1n },
    },
  )
})

test('a lot never sells more than its part', () => {
  const sold = { quantity: 4n, total: 1n, fee: 0n }
  expect(() => settleRedemption({ pool: POOL, units: 8n, sold })).toThrow(
    'sells no more than its part',
  )
})

test('members share a leaving lot by units requested: units rounded up, money down', () => {
  expect(shareRedemption({ units: 5n, proceeds: 18n, leaving: [4n, 2n, 2n] })).toEqual([
    { units: 3n, proceeds: 9n },
    { units: 2n, proceeds: 4n },
    { units: 2n, proceeds: 4n },
  ])
})

test('members of a lot that left in full leave in full', () => {
  expect(shareRedemption({ units: 8n, proceeds: 28n, leaving: [5n, 3n] })).toEqual([
    { units: 5n, proceeds: 17n },
    { units: 3n, proceeds: 10n },
  ])
})

test('a sale of own coins is shared by coins held: coins rounded up, money down', () => {
  expect(shareOwnSale({ sold: { quantity: 5n, total: 18n, fee: 1n }, held: [4n, 2n, 2n] })).toEqual(
    [
      { quantity: 3n, proceeds: 9n },
      { quantity: 2n, proceeds: 4n },
      { quantity: 2n, proceeds: 4n },
    ],
  )
})
