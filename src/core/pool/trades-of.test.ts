import { expect, test } from 'vitest'
import { tradesOf, weightIn, type Change, type Stay } from './trades.ts'

const STAY: Stay = { joined: 2n, left: null, units: 100n, offered: 50n, redeemed: 0n, paidBase: 0n, baseOut: 0n }
const CHANGE: Change = { number: 2n, kind: 'join', side: 'buy', quantity: 1_000n, total: 2_000n, fee: 20n, weight: 500n }
const trade = (number: bigint, side: 'buy' | 'sell'): Change => ({ ...CHANGE, number, kind: 'trade', side, weight: 1_000n })

test('a stay weighs the cash offered when it joined, its units in trades, and the units redeemed when it left', () => {
  const stay = { ...STAY, left: 9n, redeemed: 70n }
  expect(weightIn(stay, CHANGE)).toBe(50n)
  expect([2n, 3n, 8n, 9n].map((number) => weightIn(stay, trade(number, 'buy')))).toEqual([0n, 100n, 100n, 0n])
  expect(weightIn(stay, { ...CHANGE, number: 9n, kind: 'leave' })).toBe(70n)
})

test("a stay has no weight in others' joins and leaves, in pauses, or in the partial leave that began it", () => {
  expect(weightIn(STAY, { ...CHANGE, number: 3n })).toBe(0n)
  expect(weightIn(STAY, { ...CHANGE, number: 5n, kind: 'leave' })).toBe(0n)
  expect(weightIn({ ...STAY, offered: 0n }, { ...CHANGE, kind: 'leave' })).toBe(0n)
  expect(weightIn({ ...STAY, left: 9n, redeemed: 70n }, { ...CHANGE, number: 9n, kind: 'pause' })).toBe(0n)
})

test('a sale of own coins is a stay of zero length', () => {
  const own: Stay = { ...STAY, joined: 5n, left: 5n, units: 0n, offered: 0n, redeemed: 40n, baseOut: -40n }
  expect(weightIn(own, { ...CHANGE, number: 5n, kind: 'own' })).toBe(40n)
  expect(weightIn(STAY, { ...CHANGE, kind: 'own' })).toBe(0n)
})

test('a sleeve that has left has no cost basis, and its profits sum to its gain', () => {
  const stay = { ...STAY, left: 5n, redeemed: 100n }
  const changes: Change[] = [CHANGE, trade(3n, 'sell'), trade(4n, 'buy'), { ...CHANGE, number: 5n, kind: 'leave', side: 'sell', total: 4_000n, weight: 1_000n }]
  const trades = tradesOf({ stays: [stay], changes })
  expect(trades.map(({ mine, share, cost, profit }) => [mine, share.quantity, share.total, cost, profit])).toEqual([
    [50n, 100n, 200n, 200n, null],
    [100n, 100n, 200n, 200n, 0n],
    [100n, 100n, 200n, 200n, null],
    [100n, 100n, 400n, 200n, 200n],
  ])
})

test('the cost basis goes with the coins sold last, even if those are sold outside the pool', () => {
  const stays: Stay[] = [
    { ...STAY, left: 4n },
    // A pause takes out 60 coins in kind; 30 of them return to the pool, the rest is sold separately.
    { ...STAY, joined: 6n, left: 8n, units: 50n, offered: 0n, redeemed: 50n, paidBase: 30n },
    { ...STAY, joined: 9n, left: 9n, units: 0n, offered: 0n, redeemed: 30n, baseOut: -30n },
  ]
  const first = stays[0]
  if (first) first.baseOut = 60n
  const changes: Change[] = [
    CHANGE,
    { ...CHANGE, number: 8n, kind: 'leave', side: 'sell', quantity: 30n, total: 90n, fee: 0n, weight: 50n },
    { ...CHANGE, number: 9n, kind: 'own', side: 'sell', quantity: 30n, total: 60n, fee: 0n, weight: 30n },
  ]
  const results = tradesOf({ stays, changes }).map(({ cost, profit }) => [cost, profit])
  expect(results).toEqual([[200n, null], [60n, 30n], [140n, -80n]])
})

test('an empty part is not a trade', () => {
  const dust = { ...CHANGE, quantity: 0n, total: 0n, fee: 0n }
  expect(tradesOf({ stays: [STAY], changes: [dust, { ...trade(3n, 'sell'), side: null }] })).toEqual([])
})
