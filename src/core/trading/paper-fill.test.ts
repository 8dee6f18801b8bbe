import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { VENUE_COSTS } from './costs.ts'
import { cashMoved } from './fill.ts'
import { paperFill } from './paper-fill.ts'

const costsArbitrary = fc.record({
  feeBps: fc.integer({ min: 0, max: 200 }),
  halfSpreadBps: fc.integer({ min: 0, max: 100 }),
  slippageBps: fc.integer({ min: 0, max: 100 }),
})
const priceArbitrary = fc.oneof(fc.bigInt(1n, 10n), fc.bigInt(1n, 10n ** 15n))

test('half a bitcoin bought at 60,000 costs spread, slippage and fee', () => {
  expect(
    paperFill({
      side: 'buy',
      quantity: units('0.5'),
      price: units('60000'),
      costs: VENUE_COSTS.binance,
    }),
  ).toEqual({
    side: 'buy',
    quantity: units('0.5'),
    price: units('60042'),
    notional: units('30021'),
    fee: units('30.021'),
  })
})

test('half a bitcoin sold at 60,000 brings less by the same costs', () => {
  expect(
    paperFill({
      side: 'sell',
      quantity: units('0.5'),
      price: units('60000'),
      costs: VENUE_COSTS.binance,
    }),
  ).toEqual({
    side: 'sell',
    quantity: units('0.5'),
    price: units('59958'),
    notional: units('29979'),
    fee: units('29.979'),
  })
})

test('the cost of a single unit is rounded up, and its proceeds are rounded down', () => {
  expect(
    paperFill({ side: 'buy', quantity: 1n, price: units('0.5'), costs: VENUE_COSTS.binance }),
  ).toMatchObject({ notional: 1n, fee: 1n })
  expect(
    paperFill({ side: 'sell', quantity: 1n, price: units('0.5'), costs: VENUE_COSTS.binance }),
  ).toMatchObject({ notional: 0n, fee: 0n })
})

test('the price itself is rounded against the customer', () => {
  expect(
    paperFill({ side: 'buy', quantity: 1n, price: 3n, costs: VENUE_COSTS.binance }).price,
  ).toBe(4n)
  expect(
    paperFill({ side: 'sell', quantity: 1n, price: 3n, costs: VENUE_COSTS.binance }).price,
  ).toBe(2n)
})

test('buying and selling at once is never profitable', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 14n),
      priceArbitrary,
      costsArbitrary,
      (quantity, price, costs) => {
        const paid = cashMoved(paperFill({ side: 'buy', quantity, price, costs }))
        const received = cashMoved(paperFill({ side: 'sell', quantity, price, costs }))
        expect(received <= paid && received >= 0n).toBe(true)
      },
    ),
  )
})
