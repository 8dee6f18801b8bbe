import { expect, test } from 'vitest'
import { ONE } from '#core/money/amount.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import {
  claimOf,
  EMPTY_POOL,
  found,
  join,
  leave,
  leaveTogether,
  swept,
  trade,
  worthOf,
  type Pool,
} from './pool.ts'

const POOL: Pool = { cash: 1_001n, base: 301n, units: 700n, appliedBps: 5_000 }
const NOTHING = { cash: 0n, base: 0n }

test('an empty pool is founded with ten thousand units for each unit of money', () => {
  expect(found(units('83'))).toEqual({
    cash: units('83'),
    base: 0n,
    units: 83_000_000_000_000n,
    appliedBps: 0,
  })
})

test('a claim is floored in both cash and coins', () => {
  expect(claimOf(POOL, 7n)).toEqual({ cash: 10n, base: 3n })
  expect(claimOf(POOL, 700n)).toEqual({ cash: 1_001n, base: 301n })
})

test('zero units claim nothing, even from a pool without units', () => {
  expect(claimOf(POOL, 0n)).toEqual(NOTHING)
  expect(claimOf(EMPTY_POOL, 0n)).toEqual(NOTHING)
  expect(worthOf(EMPTY_POOL, { units: 0n, price: ONE })).toBe(0n)
})

test('a joiner gets the units that its cash pays for, and pays cash and coins rounded up', () => {
  expect(join(POOL, { cash: 11n, base: 100n })).toEqual({
    pool: { cash: 1_012n, base: 305n, units: 707n, appliedBps: 5_000 },
    units: 7n,
    paid: { cash: 11n, base: 4n },
  })
})

test('a joiner with few coins gets the units that its coins pay for', () => {
  expect(join(POOL, { cash: 100n, base: 4n })).toEqual({
    pool: { cash: 1_014n, base: 305n, units: 709n, appliedBps: 5_000 },
    units: 9n,
    paid: { cash: 13n, base: 4n },
  })
})

test('a pool without coins takes cash only, one without cash takes coins only', () => {
  expect(join({ ...POOL, base: 0n }, { cash: 11n, base: 100n })).toMatchObject({
    units: 7n,
    paid: { cash: 11n, base: 0n },
  })
  expect(join({ ...POOL, cash: 0n }, { cash: 100n, base: 4n })).toMatchObject({
    units: 9n,
    paid: { cash: 0n, base: 4n },
  })
})

test('a joiner of an empty pool founds it with cash and keeps its coins', () => {
  const joined = join(EMPTY_POOL, { cash: 5n, base: 4n })
  expect(joined).toEqual({
    pool: { cash: 5n, base: 0n, units: 50_000n, appliedBps: 0 },
    units: 50_000n,
    paid: { cash: 5n, base: 0n },
  })
})

test('a pool that holds nothing cannot be joined', () => {
  expect(() => join({ ...POOL, ...NOTHING }, { cash: 5n, base: 4n })).toThrow(
    'nobody joins a pool that holds nothing',
  )
})

test('a leaver is paid rounded down', () => {
  expect(leave(POOL, 7n)).toEqual({
    pool: { cash: 991n, base: 298n, units: 693n, appliedBps: 5_000 },
    taken: { cash: 10n, base: 3n },
  })
})

test("in a pool without coins, a leaver's payment is rounded up, and the house pays that", () => {
  const inCash = { ...POOL, base: 0n }
  expect(leave(inCash, 8n)).toEqual({
    pool: { ...inCash, cash: 990n, units: 692n },
    taken: { cash: 12n, base: 0n },
  })
  expect(leaveTogether(inCash, [8n, 692n])).toEqual({
    pool: EMPTY_POOL,
    taken: [
      { cash: 12n, base: 0n },
      { cash: 990n, base: 0n },
    ],
    dust: NOTHING,
  })
})

test('the last leaver takes everything and resets the exposure of the pool', () => {
  expect(leave(POOL, 700n)).toEqual({ pool: EMPTY_POOL, taken: { cash: 1_001n, base: 301n } })
})

test('members who leave together are all paid from the pool as it was before', () => {
  expect(leaveTogether(POOL, [7n, 350n])).toEqual({
    pool: { cash: 491n, base: 148n, units: 343n, appliedBps: 5_000 },
    taken: [
      { cash: 10n, base: 3n },
      { cash: 500n, base: 150n },
    ],
    dust: NOTHING,
  })
})

test('when all members leave together, the remainder of the floors is dust', () => {
  expect(leaveTogether(POOL, [7n, 350n, 343n])).toEqual({
    pool: EMPTY_POOL,
    taken: [
      { cash: 10n, base: 3n },
      { cash: 500n, base: 150n },
      { cash: 490n, base: 147n },
    ],
    dust: { cash: 1n, base: 1n },
  })
})

test('members cannot leave with more units than there are', () => {
  expect(() => leaveTogether({ ...POOL, ...NOTHING }, [400n, 400n])).toThrow(
    'nobody leaves with more units than there are',
  )
})

test('units of a pool that holds nothing are paid nothing', () => {
  expect(leaveTogether({ ...POOL, ...NOTHING }, [400n, 300n])).toEqual({
    pool: EMPTY_POOL,
    taken: [NOTHING, NOTHING],
    dust: NOTHING,
  })
})

test('a pool is swept only once it has no members', () => {
  expect(swept({ ...POOL, units: 0n })).toEqual({
    pool: EMPTY_POOL,
    dust: { cash: 1_001n, base: 301n },
  })
  expect(swept(POOL)).toEqual({ pool: POOL, dust: NOTHING })
})

test('a value is floored once, so that half a coin is not lost in between', () => {
  expect(worthOf({ cash: 1n, base: 1n, units: 2n, appliedBps: 0 }, { units: 1n, price: ONE })).toBe(
    1n,
  )
  expect(worthOf({ cash: 1n, base: 2n, units: 2n, appliedBps: 0 }, { units: 1n, price: ONE })).toBe(
    1n,
  )
})

test('a quarter of $400 and a hundredth of a bitcoin at $60,000 is $250', () => {
  const pool = { cash: units('400'), base: units('0.01'), units: 10n ** 15n, appliedBps: 6_000 }
  expect(worthOf(pool, { units: 25n * 10n ** 13n, price: units('60000') })).toBe(units('250'))
})

test('a purchase takes cash with the fee and adds coins; in full, it sets the exposure', () => {
  const share = { quantity: 10n, total: 101n, fee: 1n }
  expect(trade(POOL, { side: 'buy', share, exposureBps: 9_000 })).toEqual({
    cash: 900n,
    base: 311n,
    units: 700n,
    appliedBps: 9_000,
  })
})

test('a sale takes coins and adds cash; filled in part, it keeps the exposure', () => {
  const share = { quantity: 10n, total: 99n, fee: 1n }
  expect(trade(POOL, { side: 'sell', share, exposureBps: undefined })).toEqual({
    cash: 1_100n,
    base: 291n,
    units: 700n,
    appliedBps: 5_000,
  })
})

test('a pool may spend all of its cash, or sell all of its coins', () => {
  expect(
    trade(POOL, { side: 'buy', share: { quantity: 1n, total: 1_001n, fee: 0n }, exposureBps: 0 })
      .cash,
  ).toBe(0n)
  expect(
    trade(POOL, { side: 'sell', share: { quantity: 301n, total: 1n, fee: 0n }, exposureBps: 0 })
      .base,
  ).toBe(0n)
})

test('a pool buys and sells no more than it holds', () => {
  const tooDear = { quantity: 1n, total: 1_002n, fee: 0n }
  const tooMuch = { quantity: 302n, total: 1n, fee: 0n }
  expect(() => trade(POOL, { side: 'buy', share: tooDear, exposureBps: 0 })).toThrow(
    'trades no more than it holds',
  )
  expect(() => trade(POOL, { side: 'sell', share: tooMuch, exposureBps: 0 })).toThrow(
    'trades no more than it holds',
  )
})
