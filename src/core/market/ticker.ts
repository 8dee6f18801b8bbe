import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { ALL_BPS, percentOfBps } from '#core/money/percent.ts'
import type { Pair } from './pair.ts'

/** `previousPrice24h`: above 0. */
export type Ticker = { pair: Pair; price: Units; previousPrice24h: Units }

/**
 * Change of the price in percent with 2 decimals, truncated toward zero: '1.23', '-0.50', '0.00'.
 */
export function change24h({ price, previousPrice24h }: Ticker): string {
  assert(previousPrice24h > 0n, 'a price is above 0')
  return percentOfBps(((price - previousPrice24h) * ALL_BPS) / previousPrice24h)
}
