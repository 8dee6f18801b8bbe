import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Pair } from './pair.ts'

/** The last price of a pair, and the one of a day before. */
export type Ticker = {
  pair: Pair
  price: Units
  /** The price 24 hours before, above 0. */
  previousPrice24h: Units
}

/** Hundredths of a percent in the whole. */
const WHOLE = 10_000n

/** Units of a hundredth of a percent, so that the one writer of decimals prints it. */
const HUNDREDTH = 1_000_000n

/** The change over 24 hours in percent with 2 decimals, cut towards zero: '1.23', '-0.50', '0.00'. The printer adds a plus sign. */
export function change24h({ price, previousPrice24h }: Ticker): string {
  assert(previousPrice24h > 0n, 'a price is above 0')
  const hundredths = ((price - previousPrice24h) * WHOLE) / previousPrice24h
  return unitsToDecimal(hundredths * HUNDREDTH, 2)
}
