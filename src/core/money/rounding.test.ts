import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits as units } from './decimal.ts'
import {
  multiplyDivideCeil,
  multiplyDivideFloor,
  quantityFloor,
  valueCeil,
  valueFloor,
} from './rounding.ts'

const factor = fc.oneof(fc.bigInt(-9n, 9n), fc.bigInt(-(10n ** 18n), 10n ** 18n))
const divisors = fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 10n ** 18n))

test.each([
  [7n, 1n, 2n, 3n, 4n],
  [-7n, 1n, 2n, -4n, -3n],
  [6n, 1n, 2n, 3n, 3n],
  [-6n, 1n, 2n, -3n, -3n],
  [0n, 5n, 3n, 0n, 0n],
  [7n, -1n, 2n, -4n, -3n],
  [-7n, -1n, 2n, 3n, 4n],
])('%s × %s / %s is %s floored and %s rounded up', (a, b, divisor, floor, ceil) => {
  expect([multiplyDivideFloor({ a, b, divisor }), multiplyDivideCeil({ a, b, divisor })]).toEqual([
    floor,
    ceil,
  ])
})

test('floor and ceiling enclose the quotient, and differ by one if it is not whole', () => {
  fc.assert(
    fc.property(factor, factor, divisors, (a, b, divisor) => {
      const [floor, ceil] = [
        multiplyDivideFloor({ a, b, divisor }),
        multiplyDivideCeil({ a, b, divisor }),
      ]
      expect(floor * divisor <= a * b && a * b <= ceil * divisor).toBe(true)
      expect(ceil - floor).toBe((a * b) % divisor === 0n ? 0n : 1n)
    }),
  )
})

test.each([0n, -1n])('a divisor of %s is a bug', (divisor) => {
  expect(() => multiplyDivideFloor({ a: 1n, b: 1n, divisor })).toThrow('divisor must be positive')
})

test('a third of a coin at 100.01 is worth less than it costs, by a unit', () => {
  const [quantity, price] = [units('0.33333333'), units('100.01')]
  expect([valueFloor({ quantity, price }), valueCeil({ quantity, price })]).toEqual([
    units('33.33666633'),
    units('33.33666634'),
  ])
})

test('a quantity bought with an amount never costs more than the amount', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), divisors, (amount, price) => {
      const quantity = quantityFloor({ amount, price })
      expect(valueCeil({ quantity, price }) <= amount).toBe(true)
      expect(
        valueFloor({ quantity: quantity + 1n, price }) >= amount ||
          valueCeil({ quantity: quantity + 1n, price }) > amount,
      ).toBe(true)
    }),
  )
})
