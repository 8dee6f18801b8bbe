import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { allocate, amountOf, signedAmountOf } from './allocation.ts'
import { cashMoved } from './fill.ts'
import { paperFill } from './paper-fill.ts'

const costsArbitrary = fc.record({
  feeBps: fc.integer({ min: 0, max: 200 }),
  halfSpreadBps: fc.integer({ min: 0, max: 100 }),
  slippageBps: fc.integer({ min: 0, max: 100 }),
})
const priceArbitrary = fc.oneof(fc.bigInt(1n, 10n), fc.bigInt(1n, 10n ** 15n))

test('two bots share a buy of BTC three to one, at the same price and the same fee rate', () => {
  const fill = {
    side: 'buy',
    quantity: units('0.4'),
    price: units('60000'),
    notional: units('24000'),
    fee: units('24'),
  } as const
  expect(allocate({ fill, orderQuantities: [units('0.3'), units('0.1')] })).toEqual({
    shares: [
      { quantity: units('0.3'), total: units('18018'), fee: units('18') },
      { quantity: units('0.1'), total: units('6006'), fee: units('6') },
    ],
    remainder: { base: 0n, quote: 0n },
  })
})

test('three equal shares leave less than a unit each, booked as the remainder', () => {
  const fill = { side: 'buy', quantity: 10n, price: units('1'), notional: 10n, fee: 1n } as const
  const { shares, remainder } = allocate({ fill, orderQuantities: [4n, 4n, 4n] })
  expect(shares).toEqual(Array.from({ length: 3 }, () => ({ quantity: 3n, total: 4n, fee: 1n })))
  expect(remainder).toEqual({ base: 1n, quote: 1n })
  expect(shares.map((share) => amountOf({ share, side: 'buy' }))).toEqual([3n, 3n, 3n])
})

test('a sale credits no more than its proceeds and takes no more base than the block', () => {
  const fill = { side: 'sell', quantity: 10n, price: units('1'), notional: 10n, fee: 1n } as const
  const { shares, remainder } = allocate({ fill, orderQuantities: [4n, 4n, 4n] })
  expect(shares).toEqual(Array.from({ length: 3 }, () => ({ quantity: 4n, total: 3n, fee: 1n })))
  expect(remainder).toEqual({ base: 2n, quote: 0n })
})

const blocks = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  orderQuantities: fc.array(fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 10n ** 14n)), {
    minLength: 1,
    maxLength: 12,
  }),
  filledBps: fc.integer({ min: 1, max: 10_000 }),
  price: priceArbitrary,
  costs: costsArbitrary,
})

test('nothing is created or lost, and no share exceeds its order quantity', () => {
  fc.assert(
    fc.property(blocks, ({ side, orderQuantities, filledBps, price, costs }) => {
      const blockQuantity = orderQuantities.reduce((sum, orderQuantity) => sum + orderQuantity, 0n)
      const quantity = (blockQuantity * BigInt(filledBps)) / 10_000n
      fc.pre(quantity > 0n)
      const fill = paperFill({ side, quantity, price, costs })
      const { shares, remainder } = allocate({ fill, orderQuantities })
      const sign = side === 'buy' ? 1n : -1n
      const base = shares.reduce((sum, share) => sum + share.quantity, 0n)
      const quote = shares.reduce((sum, share) => sum + share.total, 0n)
      expect(base + sign * remainder.base).toBe(fill.quantity)
      expect(quote - sign * remainder.quote).toBe(cashMoved(fill))
      expect(remainder.base >= 0n && remainder.quote >= 0n).toBe(true)
      expect(
        remainder.base < orderQuantities.length && remainder.quote < orderQuantities.length,
      ).toBe(true)
      expect(
        shares.every(
          (share, index) =>
            share.quantity >= 0n && share.quantity <= (orderQuantities[index] ?? 0n),
        ),
      ).toBe(true)
      expect(
        shares.every(
          (share) => share.total >= 0n && share.fee >= 0n && amountOf({ share, side }) >= 0n,
        ),
      ).toBe(true)
    }),
  )
})

test('the order of the quantities changes no share', () => {
  fc.assert(
    fc.property(blocks, ({ side, orderQuantities, price, costs }) => {
      const quantity = orderQuantities.reduce((sum, orderQuantity) => sum + orderQuantity, 0n)
      const fill = paperFill({ side, quantity, price, costs })
      expect(
        allocate({ fill, orderQuantities: orderQuantities.toReversed() }).shares.toReversed(),
      ).toEqual(allocate({ fill, orderQuantities }).shares)
    }),
  )
})

test('the only order quantity of a block gets the whole fill', () => {
  const fill = paperFill({
    side: 'sell',
    quantity: 7n,
    price: 3n,
    costs: { feeBps: 10, halfSpreadBps: 2, slippageBps: 5 },
  })
  expect(allocate({ fill, orderQuantities: [7n] })).toEqual({
    shares: [{ quantity: 7n, total: cashMoved(fill), fee: fill.fee }],
    remainder: { base: 0n, quote: 0n },
  })
})

test('a fill cannot exceed its block', () => {
  const fill = { side: 'buy', quantity: 10n, price: 1n, notional: 1n, fee: 0n } as const
  expect(() => allocate({ fill, orderQuantities: [4n, 5n] })).toThrow('never exceeds its block')
  expect(() => allocate({ fill: { ...fill, quantity: 0n }, orderQuantities: [] })).toThrow(
    'never exceeds its block',
  )
})

test('a purchase takes its amount from the owner; a sale adds its amount without the fee', () => {
  const share = { quantity: 3n, total: 100n, fee: 1n }
  expect([signedAmountOf({ share, side: 'buy' }), signedAmountOf({ share, side: 'sell' })]).toEqual(
    [-99n, 101n],
  )
})
