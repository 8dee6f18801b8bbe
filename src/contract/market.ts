import { z } from 'zod'
import { Bot } from './bots.ts'
import { Balances, CurvePoint, Decimal, Percent, Timestamp, Usd } from './wire.ts'

export const Price = z.strictObject({
  name: z.string(),
  price: Decimal,
  /** Percent change since 24 market hours ago. */
  change24h: Percent,
  /** The last 24 hourly closes, oldest first. */
  trace: z.array(Decimal),
  /** Market time of the price. */
  at: Timestamp,
  /** The exchange has been silent for too long. The price is the last known one and is not traded on. */
  stale: z.boolean(),
})
export type Price = z.infer<typeof Price>

/** Keyed by symbol: BTC, ETH, ADA … */
export const Prices = z.record(z.string(), Price)
export type Prices = z.infer<typeof Prices>

export const RANGES = ['1D', '1W', '1M', '1Y', 'All'] as const
export const PortfolioQuery = z.strictObject({ range: z.enum(RANGES).default('1M') })

/**
 * Everything that the user owns, read at one moment, so that its figures agree. The curve is the total balance over market time and ends at
 * `totalBalance`. The daily change leaves out deposits and withdrawals: it is the gain or loss of trading.
 */
export const Portfolio = z.strictObject({
  range: z.enum(RANGES),
  ...Balances.shape,
  /** Open bots, newest first. `investedBalance` is their total value. */
  bots: z.array(Bot),
  curve: z.array(CurvePoint),
  dailyChange: z.strictObject({ amount: Usd, percent: Percent }),
})
export type Portfolio = z.infer<typeof Portfolio>

