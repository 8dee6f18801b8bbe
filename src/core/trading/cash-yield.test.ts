import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { earn, found, join, worthOf, type Pool } from '#core/pool/pool.ts'
import { interestIn, type Change, type Stay } from '#core/pool/trades.ts'
import { interestOf, midnightAfter, midnightsBetween, MOST_CASH_YIELD_BPS } from './cash-yield.ts'

test('a day of interest is the cash times the yearly rate, divided by 365 and floored', () => {
  expect(interestOf(units('36500'), 400)).toBe(units('4'))
  expect(interestOf(units('1000'), 437)).toBe(11_972_602n)
  expect(interestOf(9_124n, 400)).toBe(0n)
  expect(interestOf(9_125n, 400)).toBe(1n)
  expect(interestOf(units('1000'), 0)).toBe(0n)
})

test('the midnights after the beginning, and the one at the end, are counted', () => {
  const day = (count: number) => Date.UTC(2024, 1, 28) + count * DAY_MS
  expect(midnightAfter(day(0))).toBe(day(1))
  expect(midnightAfter(day(1) - 1)).toBe(day(1))
  expect(midnightsBetween({ fromMs: day(0), toMs: day(3) })).toEqual([day(1), day(2), day(3)])
  expect(midnightsBetween({ fromMs: day(0) + 1, toMs: day(1) - 1 })).toEqual([])
  expect(midnightsBetween({ fromMs: day(2), toMs: day(1) })).toEqual([])
})

const members = fc.array(fc.bigInt({ min: units('1'), max: units('1000000') }), {
  minLength: 1,
  maxLength: 8,
})
const rate = fc.integer({ min: 1, max: MOST_CASH_YIELD_BPS })

function poolOf(amounts: readonly bigint[]): { pool: Pool; units: bigint[] } {
  let pool = found(amounts[0] ?? 0n)
  const shares = [pool.units]
  for (const amount of amounts.slice(1)) {
    const joined = join(pool, { cash: amount, base: 0n })
    pool = joined.pool
    shares.push(joined.units)
  }
  return { pool, units: shares }
}

const stayOf = (mine: bigint): Stay => ({
  joined: 1n,
  left: null,
  units: mine,
  offered: 0n,
  redeemed: 0n,
  paidBase: 0n,
  baseOut: 0n,
})

test('members get the interest of their pool, minus at most a unit per member and day', () => {
  fc.assert(
    fc.property(members, rate, fc.integer({ min: 1, max: 40 }), (amounts, rateBps, days) => {
      let { pool, units: shares } = poolOf(amounts)
      const before = pool
      const changes = Array.from({ length: days }, (_, day): Change => {
        const interest = interestOf(pool.cash, rateBps)
        pool = earn(pool, interest)
        return {
          number: BigInt(day + 2),
          kind: 'yield',
          side: null,
          quantity: 0n,
          fee: 0n,
          total: interest,
          weight: pool.units,
        }
      })
      const received = shares.map((mine) => interestIn([stayOf(mine)], changes))
      const paid = pool.cash - before.cash
      const shared = received.reduce((sum, each) => sum + each, 0n)
      expect(shared <= paid && shared > paid - BigInt(days * shares.length)).toBe(true)
      for (const [which, mine] of shares.entries()) {
        const gained =
          worthOf(pool, { units: mine, price: 0n }) - worthOf(before, { units: mine, price: 0n })
        const difference = gained - (received[which] ?? 0n)
        expect(difference >= -1n && difference <= BigInt(days)).toBe(true)
      }
    }),
  )
})

test('a member who joins after a midnight or left before it gets none of its interest', () => {
  const paid: Change = {
    number: 5n,
    kind: 'yield',
    side: null,
    quantity: 0n,
    fee: 0n,
    total: 100n,
    weight: 10n,
  }
  expect(interestIn([stayOf(3n)], [paid])).toBe(30n)
  expect(interestIn([{ ...stayOf(3n), joined: 6n }], [paid])).toBe(0n)
  expect(
    interestIn(
      [
        { ...stayOf(3n), left: 4n },
        { ...stayOf(2n), joined: 4n },
      ],
      [paid],
    ),
  ).toBe(20n)
  expect(interestIn([stayOf(3n)], [{ ...paid, kind: 'trade', side: 'buy' }])).toBe(0n)
})
