import { assert } from '#core/assert.ts'
import { ONE, type Units } from './amount.ts'

/**
 * `a · b / divisor` rounded towards minus infinity: in favour of the house, for amounts that
 * customers receive.
 */
export function multiplyDivideFloor({
  a,
  b,
  divisor,
}: {
  a: bigint
  b: bigint
  divisor: bigint
}): bigint {
  assert(divisor > 0n, 'divisor must be positive')
  const product = a * b
  const quotient = product / divisor
  return product < 0n && quotient * divisor !== product ? quotient - 1n : quotient
}

/**
 * `a · b / divisor` rounded towards plus infinity: in favour of the house, for amounts that
 * customers owe; their shares add up to at least the whole.
 */
export function multiplyDivideCeil({
  a,
  b,
  divisor,
}: {
  a: bigint
  b: bigint
  divisor: bigint
}): bigint {
  return -multiplyDivideFloor({ a: -a, b, divisor })
}

/** Value of `quantity` of base at `price`, floored, so that a balance is never overstated. */
export function valueFloor({ quantity, price }: { quantity: Units; price: Units }): Units {
  return multiplyDivideFloor({ a: quantity, b: price, divisor: ONE })
}

/**
 * Cost of `quantity` of base at `price`, rounded up, so that the money set aside always suffices.
 */
export function valueCeil({ quantity, price }: { quantity: Units; price: Units }): Units {
  return multiplyDivideCeil({ a: quantity, b: price, divisor: ONE })
}

/**
 * Base that `amount` of quote buys at `price` (above 0), floored, so that the money covers the
 * order.
 */
export function quantityFloor({ amount, price }: { amount: Units; price: Units }): Units {
  return multiplyDivideFloor({ a: amount, b: ONE, divisor: price })
}
