import { z } from 'zod'
import { Bot } from './bots.ts'
import { Balances, CurvePoint, Decimal, Percent, Timestamp, Usd } from './wire.ts'

export const Price = z.strictObject({
  name: z.string(),
  price: Decimal,
  /** Percent against the price 24 market hours ago. */
  change24h: Percent,
  /** The last 24 hourly closes, oldest first. */
  trace: z.array(Decimal),
  /** Market time of the price. */
  at: Timestamp,
  /** The exchange has not been heard for too long: the price is the last known, and nobody trades on it. */
  stale: z.boolean(),
})
export type Price = z.infer<typeof Price>

/** Keyed by symbol: BTC, ETH, ADA … */
export const Prices = z.record(z.string(), Price)
export type Prices = z.infer<typeof Prices>

export const RANGES = ['1D', '1W', '1M', '1Y', 'All'] as const
export const PortfolioQuery = z.strictObject({ range: z.enum(RANGES).default('1M') })

/**
 * Everything the user owns, read at one moment: figures from one answer cannot contradict each other. The curve is the total balance over
 * market time and ends at `totalBalance`. The change leaves deposits and withdrawals out: it is what trading made or lost.
 */
export const Portfolio = z.strictObject({
  range: z.enum(RANGES),
  ...Balances.shape,
  /** Those that are not closed, newest first. Together they are worth `investedBalance`. */
  bots: z.array(Bot),
  curve: z.array(CurvePoint),
  dailyChange: z.strictObject({ amount: Usd, percent: Percent }),
})
export type Portfolio = z.infer<typeof Portfolio>

