import { HOUR_MS } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'

/**
 * Why coins of a pair cannot be sold. closed: the venue does not trade it · unfilled: nobody buys
 * all of them at the market price · no-price: the market has no current price.
 */
export const WAIT_REASONS = ['closed', 'unfilled', 'no-price'] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

/** `since`: market time, ISO 8601. */
export type Wait = { pair: Pair; reason: WaitReason; since: string }

/** In market time. After it the owner gets a notice, and no other money waits for the pair. */
export const PATIENCE_MS = HOUR_MS
