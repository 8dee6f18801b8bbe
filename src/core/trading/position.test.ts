import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { applyBuy, applySell, equityOf, openPosition, splitInvestment } from './position.ts'

test('btc, buys and sells partially', () => {
  const bought = applyBuy({
    position: openPosition(units('1000')),
    share: { quantity: units('0.01'), total: units('600.60'), fee: units('0.60') },
    exposureBps: 6_000,
  })
  expect(bought).toEqual({
    cash: units('399.40'),
    base: units('0.01'),
    cost: units('600.60'),
    appliedBps: 6_000,
  })
  const trimmed = applySell({
    position: bought,
    share: { quantity: units('0.0025'), total: units('170'), fee: units('0.17') },
    exposureBps: 4_000,
  })
  expect(trimmed.profit).toBe(units('19.85'))
  expect(trimmed.position).toEqual({
    cash: units('569.40'),
    base: units('0.0075'),
    cost: units('450.45'),
    appliedBps: 4_000,
  })
  const share = { quantity: units('0.0075'), total: units('400'), fee: units('0.4') }
  const out = applySell({ position: trimmed.position, share, exposureBps: 0 })
  expect(out.profit).toBe(units('-50.45'))
  expect(out.position).toEqual({ cash: units('969.40'), base: 0n, cost: 0n, appliedBps: 0 })
})

test('once everything is sold, the profits of all sales equal the gain in cash', () => {
  const parts = fc.array(
    fc.record({ bps: fc.bigInt(0n, 10_000n), total: fc.bigInt(0n, 10n ** 13n) }),
    { maxLength: 10 },
  )
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 13n),
      fc.bigInt(1n, 10n ** 13n),
      parts,
      (cash, quantity, sales) => {
        let position = applyBuy({
          position: openPosition(cash),
          share: { quantity, total: cash, fee: 0n },
          exposureBps: 10_000,
        })
        let profits = 0n
        for (const { bps, total } of [...sales, { bps: 10_000n, total: 5n }]) {
          if (position.base === 0n) continue
          const sold = applySell({
            position,
            share: { quantity: (position.base * bps) / 10_000n, total, fee: 0n },
            exposureBps: 0,
          })
          position = sold.position
          profits += sold.profit
        }
        expect(position.cost).toBe(0n)
        expect(position.cash - cash).toBe(profits)
      },
    ),
  )
})

test('equity is the cash and the floored value of the base', () => {
  expect(equityOf({ position: { ...openPosition(5n), base: 3n }, price: units('0.5') })).toBe(6n)
})

test('an investment is split equally, with the remainder in the first pair', () => {
  expect(splitInvestment({ invested: 101n, count: 3 })).toEqual([35n, 33n, 33n])
  expect(splitInvestment({ invested: 2n, count: 3 })).toEqual([2n, 0n, 0n])
  expect(splitInvestment({ invested: 0n, count: 2 })).toEqual([0n, 0n])
})

test.each([
  { invested: 5n, count: 0 },
  { invested: -1n, count: 2 },
])('$invested cannot be split over $count pairs', (given) => {
  expect(() => splitInvestment(given)).toThrow('at least one pair')
})

test('an empty sleeve can sell nothing, and does not change', () => {
  const position = openPosition(10n)
  expect(
    applySell({ position, share: { quantity: 0n, total: 0n, fee: 0n }, exposureBps: 0 }),
  ).toEqual({ position, profit: 0n })
})

test('a sleeve cannot spend what it does not have', () => {
  const position = openPosition(10n)
  expect(() =>
    applyBuy({ position, share: { quantity: 1n, total: 11n, fee: 0n }, exposureBps: 100 }),
  ).toThrow('never overdraws')
  expect(() =>
    applySell({ position, share: { quantity: 1n, total: 1n, fee: 0n }, exposureBps: 0 }),
  ).toThrow('never exceeds')
})
