import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ONE } from '#core/money/amount.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { appliedAfterClose, driftPrices, weightBps } from './drift.ts'

const HALF = { exposureBps: 5_000, driftBps: 500 }

/** 1,000 dollars at a price of 100, half of it in coins. */
const HOLDINGS = { cash: units('500'), base: units('5'), appliedBps: 5_000 }

test.each([
  ['100', 5_000],
  // 5 coins at 122.22 are 54.99 % of the money, at 122.23 they are 55.00 %.
  ['122.22', 5_000],
  ['122.23', 5_500],
  ['81.82', 5_000],
  ['81.81', 4_499],
])('after a close at %s the applied exposure is %s', (close, appliedBps) => {
  expect(appliedAfterClose(HOLDINGS, { ...HALF, close: units(close) })).toBe(appliedBps)
})

test('without coins the exposure does not drift', () => {
  expect(driftPrices({ cash: units('500'), base: 0n }, HALF)).toBeUndefined()
  expect(
    appliedAfterClose({ cash: units('500'), base: 0n, appliedBps: 0 }, { ...HALF, close: ONE }),
  ).toBe(0)
})

test('coins leave their band exactly when they are five points or more from their share', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 20n })
  const holdings = fc.record({ cash: fc.oneof(fc.constant(0n), amount), base: amount })
  fc.assert(
    fc.property(
      holdings,
      fc.constantFrom(2_500, 5_000, 7_500),
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      ({ cash, base }, exposureBps, seed) => {
        const prices = driftPrices({ cash, base }, { exposureBps, driftBps: 500 })
        const near = [prices?.above, prices?.below].flatMap((price = 1n) => [
          price - 1n,
          price,
          price + 1n,
        ])
        for (const close of [seed, ...near].filter((price) => price > 0n)) {
          const coins = base * close * 10_000n
          const all = cash * ONE + base * close
          const isOutside =
            coins >= BigInt(exposureBps + 500) * all || coins <= BigInt(exposureBps - 500) * all
          const applied = appliedAfterClose(
            { cash, base, appliedBps: exposureBps },
            { exposureBps, driftBps: 500, close },
          )
          expect(applied).toBe(isOutside ? weightBps({ cash, base }, close) : exposureBps)
          expect(applied !== exposureBps).toBe(isOutside)
        }
      },
    ),
  )
})
