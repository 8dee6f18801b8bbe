import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Pair } from './pair.ts'

/** The last price of a pair and the price 24 hours before, in units of quote. */
export type Ticker = {
  pair: Pair
  price: Units
  /** Above 0. */
  previousPrice24h: Units
}

/** The whole, in hundredths of a percent. */
const WHOLE = 10_000n

/** A hundredth of a percent in units, so that `unitsToDecimal` prints it. */
const HUNDREDTH = 1_000_000n

/**
 * Change over 24 hours in percent with 2 decimals, truncated toward zero: '1.23', '-0.50', '0.00'.
 * The screen adds a plus sign.
 */
export function change24h({ price, previousPrice24h }: Ticker): string {
  assert(previousPrice24h > 0n, 'a price is above 0')
  const hundredths = ((price - previousPrice24h) * WHOLE) / previousPrice24h
  return unitsToDecimal(hundredths * HUNDREDTH, 2)
}
