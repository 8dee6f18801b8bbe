import { HOUR_MS } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'

/**
 * Reasons why coins of a pair cannot be sold. closed: the venue does not trade it · unfilled: too
 * few buyers at the market price · no-price: the market has no current price · unknown: the
 * exchange has not reported yet how an order of the pair ended.
 */
export const WAIT_REASONS = ['closed', 'unfilled', 'no-price', 'unknown'] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

/** `since`: market time, ISO 8601. */
export type Wait = { pair: Pair; reason: WaitReason; since: string }

/** The operator buys the coins of a dead pair. `price`: units of quote for a whole coin. */
export type Settlement = { price: Units; reason: string }

/**
 * Whether a price is a tenth to ten times the last price. Any other is taken for a typing error.
 */
export const isPlausible = ({ price, last }: { price: Units; last: Units }): boolean =>
  price * 10n >= last && price <= last * 10n

/**
 * Market time after which the owner gets a notice, and other money no longer waits for the pair.
 */
export const PATIENCE_MS = HOUR_MS
