import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { allocate } from './allocation.ts'
import { VENUE_COSTS, type TradingCosts } from './costs.ts'
import { paperFill } from './paper-fill.ts'
import { applyBuy, openPosition, type Position } from './position.ts'
import { planOrder } from './rebalance.ts'

const amountArbitrary = fc.oneof(fc.bigInt(0n, 12n), fc.bigInt(0n, 10n ** 17n))
const costsArbitrary = fc.record({
  feeBps: fc.integer({ min: 0, max: 200 }),
  halfSpreadBps: fc.integer({ min: 0, max: 100 }),
  slippageBps: fc.integer({ min: 0, max: 100 }),
})
const exposureArbitrary = fc.integer({ min: 0, max: 100 }).map((percent) => percent * 100)
const priceArbitrary = fc.oneof(fc.bigInt(1n, 10n), fc.bigInt(1n, 10n ** 15n))

const price = units('60000')
const plan = (position: Position, exposureBps: number) =>
  planOrder({ position, exposureBps, price, costs: VENUE_COSTS.binance })

test('a sleeve in cash buys its exposure at the price of the paper venue', () => {
  expect(plan(openPosition(units('1000')), 6_000)).toEqual({ side: 'buy', quantity: 999_300n })
  expect(600_00000000n / 999_300n).toBe(60_042n)
})

test('a full exposure reserves cash for fee, spread and slippage', () => {
  const quantity = (units('998.20323417') * 100_000_000n) / units('60042')
  expect(plan(openPosition(units('1000')), 10_000)).toEqual({ side: 'buy', quantity })
})

test('btc, trimmed to a smaller exposure', () => {
  const position = { ...openPosition(units('400')), base: units('0.01'), appliedBps: 6_000 }
  expect(plan(position, 4_000)).toEqual({ side: 'sell', quantity: 333_333n })
})

test('an exposure of zero sells the whole position', () => {
  expect(plan({ ...openPosition(0n), base: 7n, appliedBps: 100 }, 0)).toEqual({
    side: 'sell',
    quantity: 7n,
  })
  const tiny = { ...openPosition(0n), base: 7n, appliedBps: 100 }
  expect(
    planOrder({ position: tiny, exposureBps: 0, price: units('0.3'), costs: VENUE_COSTS.binance }),
  ).toEqual({ side: 'sell', quantity: 7n })
  expect(
    planOrder({ position: tiny, exposureBps: 0, price: units('0.1'), costs: VENUE_COSTS.binance }),
  ).toEqual({ side: 'sell', quantity: 7n })
})

test('a sleeve that is partly invested buys only what is missing', () => {
  const position = { ...openPosition(units('1000')), base: units('0.01'), appliedBps: 3_750 }
  expect(plan(position, 5_000)).toEqual({
    side: 'buy',
    quantity: (units('200') * 100_000_000n) / units('60042'),
  })
})

test.each([0n, -1n])('a price of %s is a bug', (price) => {
  expect(() =>
    planOrder({ position: openPosition(5n), exposureBps: 0, price, costs: VENUE_COSTS.binance }),
  ).toThrow('a price is above 0')
})

test('a sleeve whose target is applied does nothing, however far the price has moved', () => {
  expect(
    plan({ ...openPosition(units('1')), base: units('1'), appliedBps: 5_000 }, 5_000),
  ).toBeUndefined()
})

test('a sleeve without cash or base does nothing', () => {
  expect(plan(openPosition(0n), 5_000)).toBeUndefined()
  expect(plan(openPosition(4n), 10_000)).toBeUndefined()
  expect(plan({ ...openPosition(0n), appliedBps: 100 }, 0)).toBeUndefined()
})

const sleeve = fc.record({
  cash: amountArbitrary,
  base: amountArbitrary,
  exposureBps: exposureArbitrary,
})
type Sleeve = { cash: bigint; base: bigint; exposureBps: number }

function buyTogether({
  sleeves,
  marketPrice,
  costs,
}: {
  sleeves: Sleeve[]
  marketPrice: bigint
  costs: TradingCosts
}): Position[] {
  const buyers = sleeves.flatMap(({ cash, base, exposureBps }) => {
    const position = { ...openPosition(cash), base, appliedBps: -1 }
    const order = planOrder({ position, exposureBps, price: marketPrice, costs })
    return order?.side === 'buy' ? [{ position, orderQuantity: order.quantity, exposureBps }] : []
  })
  fc.pre(buyers.length > 0)
  const orderQuantities = buyers.map(({ orderQuantity }) => orderQuantity)
  const fill = paperFill({
    side: 'buy',
    quantity: orderQuantities.reduce((sum, orderQuantity) => sum + orderQuantity, 0n),
    price: marketPrice,
    costs,
  })
  const { shares } = allocate({ fill, orderQuantities })
  return buyers.flatMap(({ position, exposureBps }, index) => {
    const share = shares[index]
    return share ? [applyBuy({ position, share, exposureBps })] : []
  })
}

test('a purchase never overdraws a sleeve, alone or in a shared block', () => {
  fc.assert(
    fc.property(
      fc.array(sleeve, { minLength: 1, maxLength: 8 }),
      priceArbitrary,
      costsArbitrary,
      (sleeves, marketPrice, costs) => {
        for (const { cash } of buyTogether({ sleeves, marketPrice, costs }))
          expect(cash >= 0n).toBe(true)
      },
    ),
    { numRuns: 400 },
  )
})

test('a purchase never overdraws a sleeve of a few units, where every rounding matters', () => {
  const fewUnits = fc.record({
    cash: fc.bigInt(1n, 40n),
    base: fc.constant(0n),
    exposureBps: fc.constant(10_000),
  })
  const price = fc.bigInt(1_000_000n, 1_000_000_000n)
  fc.assert(
    fc.property(
      fc.array(fewUnits, { minLength: 1, maxLength: 8 }),
      price,
      costsArbitrary,
      (sleeves, marketPrice, costs) => {
        for (const { cash } of buyTogether({ sleeves, marketPrice, costs }))
          expect(cash >= 0n).toBe(true)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a sale never exceeds the position', () => {
  fc.assert(
    fc.property(
      sleeve,
      priceArbitrary,
      costsArbitrary,
      ({ cash, base, exposureBps }, marketPrice, costs) => {
        const order = planOrder({
          position: { ...openPosition(cash), base, appliedBps: -1 },
          exposureBps,
          price: marketPrice,
          costs,
        })
        if (order?.side === 'sell') expect(order.quantity <= base && order.quantity > 0n).toBe(true)
      },
    ),
  )
})
