import { describe, expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import {
  NO_BASIS,
  realize,
  shareIn,
  shareOf,
  tradesOf,
  weightIn,
  type Change,
  type PoolTrade,
  type Stay,
} from './trades.ts'

const BOUGHT: PoolTrade = { side: 'buy', quantity: 100n, total: 1_001n, fee: 1n, weight: 300n }
const SOLD: PoolTrade = { ...BOUGHT, side: 'sell', total: 999n, fee: 2n }

test('in a purchase a member gets coins rounded down, and pays cost and fee rounded up', () => {
  expect(shareOf(BOUGHT, 100n)).toEqual({ quantity: 33n, total: 334n, fee: 1n })
  expect(shareOf(BOUGHT, 300n)).toEqual({ quantity: 100n, total: 1_001n, fee: 1n })
})

test('in a sale a member gives coins and fee rounded up, and gets money rounded down', () => {
  expect(shareOf(SOLD, 100n)).toEqual({ quantity: 34n, total: 333n, fee: 1n })
  expect(shareOf(SOLD, 50n)).toEqual({ quantity: 17n, total: 166n, fee: 1n })
})

test('a member of a joining lot takes part by cash offered', () => {
  const lot: PoolTrade = {
    side: 'buy',
    quantity: units('0.001'),
    total: units('60.1'),
    fee: units('0.06'),
    weight: units('100'),
  }
  expect(shareOf(lot, units('25'))).toEqual({
    quantity: units('0.00025'),
    total: units('15.025'),
    fee: units('0.015'),
  })
})

test("a leaving lot's fill is split by units requested; a sale of own coins, by coins", () => {
  const lot: PoolTrade = {
    side: 'sell',
    quantity: units('0.001'),
    total: units('59.9'),
    fee: units('0.06'),
    weight: 10n ** 15n,
  }
  expect(shareOf(lot, 25n * 10n ** 13n)).toEqual({
    quantity: units('0.00025'),
    total: units('14.975'),
    fee: units('0.015'),
  })
  const own = { ...lot, weight: units('0.002') }
  expect(shareOf(own, units('0.0005'))).toEqual({
    quantity: units('0.00025'),
    total: units('14.975'),
    fee: units('0.015'),
  })
})

test('a purchase adds coins and their cost including the fee, and has no profit', () => {
  const share = { quantity: 3n, total: 10n, fee: 1n }
  expect(realize({ base: 2n, cost: 5n }, { side: 'buy', share })).toEqual({
    basis: { base: 5n, cost: 15n },
    profit: null,
  })
})

test("a sale's profit is its proceeds minus the average cost of its coins, floored", () => {
  const share = { quantity: 1n, total: 5n, fee: 1n }
  expect(realize({ base: 3n, cost: 11n }, { side: 'sell', share })).toEqual({
    basis: { base: 2n, cost: 8n },
    profit: 2n,
  })
})

test('a sale of everything uses up the whole cost, and a loss is below 0', () => {
  const share = { quantity: 3n, total: 5n, fee: 1n }
  expect(realize({ base: 3n, cost: 11n }, { side: 'sell', share })).toEqual({
    basis: NO_BASIS,
    profit: -6n,
  })
})

test('a sale rounded up beyond the holding sells everything', () => {
  const share = { quantity: 4n, total: 12n, fee: 1n }
  expect(realize({ base: 3n, cost: 11n }, { side: 'sell', share })).toEqual({
    basis: NO_BASIS,
    profit: 1n,
  })
  expect(realize(NO_BASIS, { side: 'sell', share })).toEqual({ basis: NO_BASIS, profit: 12n })
})

test('money from a sale without coins is profit', () => {
  const share = { quantity: 0n, total: 3n, fee: 0n }
  expect(realize(NO_BASIS, { side: 'sell', share })).toEqual({ basis: NO_BASIS, profit: 3n })
})

test('the sale that ends a stay uses up the whole cost, even if dust is left', () => {
  const share = { quantity: 2n, total: 12n, fee: 1n }
  expect(realize({ base: 3n, cost: 11n }, { side: 'sell', share, isAll: true })).toEqual({
    basis: NO_BASIS,
    profit: 1n,
  })
})

const STAY: Stay = {
  joined: 1n,
  left: 4n,
  units: 100n,
  offered: 50n,
  redeemed: 100n,
  paidBase: 0n,
  baseOut: 0n,
}
const change = (changes: Partial<Change>): Change => ({
  number: 2n,
  kind: 'trade',
  side: 'buy',
  quantity: 20n,
  total: 40n,
  fee: 0n,
  weight: 200n,
  ...changes,
})

test('a stay takes part in the trades strictly between its first and last change', () => {
  const weights = [0n, 1n, 2n, 3n, 4n, 5n].map((number) => weightIn(STAY, change({ number })))
  expect(weights).toEqual([0n, 0n, 100n, 100n, 0n, 0n])
  expect(weightIn({ ...STAY, left: null }, change({ number: 5n }))).toBe(100n)
})

test('a stay weighs the cash offered when it joined, or the units redeemed when it left', () => {
  expect([1n, 4n].map((number) => weightIn(STAY, change({ kind: 'join', number })))).toEqual([
    50n,
    0n,
  ])
  expect(
    [1n, 4n].map((number) =>
      weightIn({ ...STAY, redeemed: 40n }, change({ kind: 'leave', number })),
    ),
  ).toEqual([0n, 40n])
  expect(weightIn(STAY, change({ kind: 'pause', number: 4n }))).toBe(0n)
})

test('own coins are sold in a stay of zero length, which takes part in no other trade', () => {
  const own = { ...STAY, joined: 5n, left: 5n, offered: 0n, redeemed: 3n }
  expect(weightIn(own, change({ kind: 'own', number: 5n }))).toBe(3n)
  expect(weightIn({ ...own, left: 6n }, change({ kind: 'own', number: 5n }))).toBe(0n)
  expect(weightIn({ ...own, joined: 4n }, change({ kind: 'own', number: 5n }))).toBe(0n)
  expect(weightIn(own, change({ kind: 'trade', number: 5n }))).toBe(0n)
})

test('a change without an order or with an empty part is not a trade', () => {
  expect(shareIn([STAY], change({ side: null, quantity: 0n, total: 0n }))).toBeUndefined()
  expect(shareIn([STAY], change({ side: null }))).toBeUndefined()
  expect(shareIn([STAY], change({ number: 9n }))).toBeUndefined()
  expect(shareIn([STAY], change({ number: 9n, weight: 0n }))).toBeUndefined()
  expect(shareIn([STAY], change({ side: 'sell', quantity: 0n, total: 0n }))).toBeUndefined()
  expect(shareIn([STAY], change({}))).toEqual({
    side: 'buy',
    mine: 100n,
    share: { quantity: 10n, total: 20n, fee: 0n },
  })
})

test('a share with only coins or only money is a trade', () => {
  expect(shareIn([STAY], change({ quantity: 1n }))?.share).toEqual({
    quantity: 0n,
    total: 20n,
    fee: 0n,
  })
  expect(shareIn([STAY], change({ side: 'sell', quantity: 1n, total: 1n }))?.share).toEqual({
    quantity: 1n,
    total: 0n,
    fee: 0n,
  })
})

test('trades have cost and profit; the last one includes the cost of dust', () => {
  const changes = [
    change({ number: 1n, kind: 'join', total: 100n, weight: 100n }),
    change({ number: 2n }),
    change({ number: 3n, side: 'sell', quantity: 10n, total: 30n }),
    change({ number: 4n, kind: 'leave', side: 'sell', quantity: 14n, total: 60n, weight: 100n }),
    change({ number: 5n }),
  ]
  const trades = tradesOf({ stays: [STAY], changes })
  expect(
    trades.map(({ share, cost, profit }) => [share.quantity, share.total, cost, profit]),
  ).toEqual([
    [10n, 50n, 50n, null],
    [10n, 20n, 20n, null],
    [5n, 15n, 17n, -2n],
    [14n, 60n, 53n, 7n],
  ])
})

test('the sale that ends a stay uses up the whole cost, even if the sleeve joins again', () => {
  const sale = change({
    number: 4n,
    kind: 'leave',
    side: 'sell',
    quantity: 9n,
    total: 60n,
    weight: 100n,
  })
  const changes = [change({ number: 1n, kind: 'join', total: 100n, weight: 100n }), sale]
  const later = { ...STAY, joined: 6n, left: null, paidBase: 5n }
  const [, sold] = tradesOf({ stays: [STAY, later], changes })
  expect([sold?.share.quantity, sold?.cost]).toEqual([9n, 50n])
})

test('coins that come and go with one change leave no cost behind', () => {
  const passing = {
    ...STAY,
    joined: 4n,
    left: 4n,
    units: 0n,
    offered: 0n,
    redeemed: 0n,
    paidBase: 3n,
    baseOut: 3n,
  }
  const sale = change({
    number: 4n,
    kind: 'leave',
    side: 'sell',
    quantity: 9n,
    total: 60n,
    weight: 100n,
  })
  const changes = [change({ number: 1n, kind: 'join', total: 100n, weight: 100n }), sale]
  expect(tradesOf({ stays: [STAY, passing], changes }).map(({ cost }) => cost)).toEqual([50n, 50n])
})

test('a sleeve that leaves in part keeps the cost of the rest, and trades on with it', () => {
  const stays = [
    { ...STAY, left: 2n, redeemed: 40n },
    { ...STAY, joined: 2n, left: null, units: 60n, offered: 0n, redeemed: 0n },
  ]
  const changes = [
    change({ number: 1n, kind: 'join', total: 100n, weight: 100n }),
    change({ number: 2n, kind: 'leave', side: 'sell', quantity: 4n, total: 24n, weight: 40n }),
    change({ number: 3n, side: 'sell', quantity: 10n, total: 30n, weight: 100n }),
  ]
  const trades = tradesOf({ stays, changes })
  expect(
    trades.map(({ mine, share, cost, profit }) => [mine, share.quantity, cost, profit]),
  ).toEqual([
    [50n, 10n, 50n, null],
    [40n, 4n, 20n, 4n],
    [60n, 6n, 30n, -12n],
  ])
})

test('coins of a paused bot keep their cost until they are sold', () => {
  const paused = { ...STAY, left: 2n, baseOut: 10n }
  const sold = {
    ...STAY,
    joined: 3n,
    left: 3n,
    units: 0n,
    offered: 0n,
    redeemed: 10n,
    baseOut: -9n,
  }
  const changes = [
    change({ number: 1n, kind: 'join', total: 100n, weight: 100n }),
    change({ number: 2n, kind: 'pause', side: null, quantity: 0n, total: 0n }),
    change({ number: 3n, kind: 'own', side: 'sell', quantity: 9n, total: 63n, weight: 10n }),
  ]
  const profits = (last: Stay) =>
    tradesOf({ stays: [paused, last], changes }).map(({ profit }) => profit)
  expect(profits(sold)).toEqual([null, 18n])
  // With all coins sold, the cost of the remaining dust is removed too.
  expect(profits({ ...sold, baseOut: -10n })).toEqual([null, 13n])
})

test('a bot that resumed with some of its coins has no cost left once it leaves', () => {
  const stays = [
    { ...STAY, left: 2n, baseOut: 10n },
    { ...STAY, joined: 3n, left: 5n, offered: 0n, paidBase: 4n },
    { ...STAY, joined: 4n, left: 4n, units: 0n, offered: 0n, redeemed: 6n, baseOut: -6n },
  ]
  const changes = [
    change({ number: 1n, kind: 'join', total: 100n, weight: 100n }),
    change({ number: 4n, kind: 'own', side: 'sell', quantity: 6n, total: 42n, weight: 6n }),
    change({ number: 5n, kind: 'leave', side: 'sell', quantity: 3n, total: 21n, weight: 100n }),
  ]
  // The last sale is one coin less than the derived holding, yet takes all of the remaining cost.
  expect(tradesOf({ stays, changes }).map(({ cost, profit }) => [cost, profit])).toEqual([
    [50n, null],
    [30n, 12n],
    [20n, 1n],
  ])
})

describe('stays and changes of a larger pool', () => {
  const STAY: Stay = {
    joined: 2n,
    left: null,
    units: 100n,
    offered: 50n,
    redeemed: 0n,
    paidBase: 0n,
    baseOut: 0n,
  }
  const CHANGE: Change = {
    number: 2n,
    kind: 'join',
    side: 'buy',
    quantity: 1_000n,
    total: 2_000n,
    fee: 20n,
    weight: 500n,
  }
  const trade = (number: bigint, side: 'buy' | 'sell'): Change => ({
    ...CHANGE,
    number,
    kind: 'trade',
    side,
    weight: 1_000n,
  })

  test('a stay weighs the cash offered, its units in trades, and the units redeemed', () => {
    const stay = { ...STAY, left: 9n, redeemed: 70n }
    expect(weightIn(stay, CHANGE)).toBe(50n)
    expect([2n, 3n, 8n, 9n].map((number) => weightIn(stay, trade(number, 'buy')))).toEqual([
      0n,
      100n,
      100n,
      0n,
    ])
    expect(weightIn(stay, { ...CHANGE, number: 9n, kind: 'leave' })).toBe(70n)
  })

  test("a stay has no weight in others' moves, in pauses or in the leave that began it", () => {
    expect(weightIn(STAY, { ...CHANGE, number: 3n })).toBe(0n)
    expect(weightIn(STAY, { ...CHANGE, number: 5n, kind: 'leave' })).toBe(0n)
    expect(weightIn({ ...STAY, offered: 0n }, { ...CHANGE, kind: 'leave' })).toBe(0n)
    expect(
      weightIn({ ...STAY, left: 9n, redeemed: 70n }, { ...CHANGE, number: 9n, kind: 'pause' }),
    ).toBe(0n)
  })

  test('a sale of own coins is a stay of zero length', () => {
    const own: Stay = {
      ...STAY,
      joined: 5n,
      left: 5n,
      units: 0n,
      offered: 0n,
      redeemed: 40n,
      baseOut: -40n,
    }
    expect(weightIn(own, { ...CHANGE, number: 5n, kind: 'own' })).toBe(40n)
    expect(weightIn(STAY, { ...CHANGE, kind: 'own' })).toBe(0n)
  })

  test('a sleeve that has left has no cost basis, and its profits sum to its gain', () => {
    const stay = { ...STAY, left: 5n, redeemed: 100n }
    const changes: Change[] = [
      CHANGE,
      trade(3n, 'sell'),
      trade(4n, 'buy'),
      { ...CHANGE, number: 5n, kind: 'leave', side: 'sell', total: 4_000n, weight: 1_000n },
    ]
    const trades = tradesOf({ stays: [stay], changes })
    expect(
      trades.map(({ mine, share, cost, profit }) => [
        mine,
        share.quantity,
        share.total,
        cost,
        profit,
      ]),
    ).toEqual([
      [50n, 100n, 200n, 200n, null],
      [100n, 100n, 200n, 200n, 0n],
      [100n, 100n, 200n, 200n, null],
      [100n, 100n, 400n, 200n, 200n],
    ])
  })

  test('the cost basis follows the coins until they are sold, even outside the pool', () => {
    const stays: Stay[] = [
      { ...STAY, left: 4n },
      // A pause takes out 60 coins in kind; 30 of them return to the pool, the rest is sold
      // separately.
      { ...STAY, joined: 6n, left: 8n, units: 50n, offered: 0n, redeemed: 50n, paidBase: 30n },
      { ...STAY, joined: 9n, left: 9n, units: 0n, offered: 0n, redeemed: 30n, baseOut: -30n },
    ]
    const first = stays[0]
    if (first) first.baseOut = 60n
    const changes: Change[] = [
      CHANGE,
      {
        ...CHANGE,
        number: 8n,
        kind: 'leave',
        side: 'sell',
        quantity: 30n,
        total: 90n,
        fee: 0n,
        weight: 50n,
      },
      {
        ...CHANGE,
        number: 9n,
        kind: 'own',
        side: 'sell',
        quantity: 30n,
        total: 60n,
        fee: 0n,
        weight: 30n,
      },
    ]
    const results = tradesOf({ stays, changes }).map(({ cost, profit }) => [cost, profit])
    expect(results).toEqual([
      [200n, null],
      [60n, 30n],
      [140n, -80n],
    ])
  })

  test('a bot whose share of a trade is zero has no trade', () => {
    const dust = { ...CHANGE, quantity: 0n, total: 0n, fee: 0n }
    expect(
      tradesOf({ stays: [STAY], changes: [dust, { ...trade(3n, 'sell'), side: null }] }),
    ).toEqual([])
  })
})
