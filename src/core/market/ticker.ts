import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Pair } from './pair.ts'

/** `previousPrice24h`: above 0. */
export type Ticker = { pair: Pair; price: Units; previousPrice24h: Units }

const WHOLE = 10_000n

/** Scale of `unitsToDecimal`. */
const HUNDREDTH = 1_000_000n

/** In percent with 2 decimals, truncated toward zero: '1.23', '-0.50', '0.00'. */
export function change24h({ price, previousPrice24h }: Ticker): string {
  assert(previousPrice24h > 0n, 'a price is above 0')
  const hundredths = ((price - previousPrice24h) * WHOLE) / previousPrice24h
  return unitsToDecimal(hundredths * HUNDREDTH, 2)
}
