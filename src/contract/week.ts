import { z } from 'zod'
import type { CallRows } from './call-row.ts'
import { Decimal, Percent, SideSchema, Timestamp, Usd } from './wire.ts'

/** A sale and its realized result. `at`: market time. */
const Sale = z.strictObject({ id: z.string(), at: Timestamp, coin: z.string(), profit: Decimal })

/** The last seven days of market time, read at one moment. */
export const WeekResult = z.strictObject({
  from: Timestamp,
  to: Timestamp,
  /** Change of the balance without deposits and withdrawals. */
  result: Usd,
  percent: Percent,
  /** Trades of all bots, by side and coin. */
  trades: z.array(
    z.strictObject({ side: SideSchema, coin: z.string(), count: z.int().positive() }),
  ),
  tradingFees: Usd,
  platformFees: Usd,
  /** Null without a sale. */
  best: Sale.nullable(),
  /** Null if there are fewer than two sales. */
  worst: Sale.nullable(),
  /**
   * Hypothetical result of buying and holding: the same money in the same coins, bought when the
   * week began or when the money came, costs included. Null without money in bots.
   */
  holding: Usd.nullable(),
  /**
   * Results of every 30 days since the first money, oldest first, at most the latest twelve. The
   * last period may not be over.
   */
  months: z.array(z.strictObject({ from: Timestamp, result: Usd, percent: Percent })),
})
export type WeekResult = z.infer<typeof WeekResult>

export const weekCalls = {
  getWeek: {
    summary: 'The result of the last seven days, beside holding',
    access: 'user',
    keys: 'read',
    response: WeekResult,
  },
} satisfies CallRows
