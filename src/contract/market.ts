import { z } from 'zod'
import { Bot } from './bots.ts'
import { BotHoldings, HeldPools } from './holdings.ts'
import { RANGES } from './query-values.ts'
import { Balances, CurvePoint, Decimal, Id, Percent, Timestamp, Usd } from './wire.ts'

export const Price = z.strictObject({
  name: z.string(),
  price: Decimal,
  /** Percent change since 24 market hours ago. */
  change24h: Percent,
  /** The last `TRACE_HOURS` hourly closes, oldest first. */
  trace: z.array(Decimal),
  /** Market time of the price. */
  at: Timestamp,
  /**
   * The exchange has been silent for too long. The price is the last known one and is not traded
   * on.
   */
  stale: z.boolean(),
})
export type Price = z.infer<typeof Price>

/** Keyed by symbol: BTC, ETH, ADA … */
export const Prices = z.record(z.string(), Price)
export type Prices = z.infer<typeof Prices>

/**
 * The new values of a symbol whose price changed, in the event `prices`. The other fields of
 * `Price` stay as they were.
 */
export type PriceTick = Pick<Price, 'price' | 'change24h' | 'at' | 'stale'> & {
  /**
   * Hours that closed since the last event, oldest first; after a gap, more of them than are new.
   */
  closes?: readonly string[]
}
export type PriceTicks = Record<string, PriceTick>

/** The number of hourly closes in a trace. */
export const TRACE_HOURS = 24

export const PortfolioQuery = z.strictObject({ range: z.enum(RANGES).default('1M') })

/** Deposits and withdrawals at one place of the curve: close ones stand together. */
const MoneyMark = z.strictObject({
  /** Market time of the first of them. */
  at: Timestamp,
  count: z.number().int(),
  /** Sum of their changes of the balance; negative for a withdrawal. */
  amount: Usd,
  /**
   * The latest of them: its receipt, and the real date on it. Null where the history has no row of
   * its own.
   */
  latest: z.strictObject({ id: Id, description: z.string(), createdAt: Timestamp }).nullable(),
})
export type MoneyMark = z.infer<typeof MoneyMark>

const GainOrLoss = z.strictObject({ amount: Usd, percent: Percent })

/**
 * Everything that the user owns, read at one moment, so that its figures agree. The curve is the
 * total balance over market time and ends at `totalBalance`. Changes leave out deposits and
 * withdrawals: they are the gain or loss of trading.
 */
export const Portfolio = z.strictObject({
  range: z.enum(RANGES),
  ...Balances.shape,
  /** Open bots, newest first. Their `equity` adds up to `investedBalance`. */
  bots: z.array(Bot),
  /** The worth of each bot, by its id, follows from these and from prices. */
  botHoldings: z.record(Id, BotHoldings),
  pools: HeldPools,
  /**
   * The next step of a user none of whose bots has traded yet: add money, create a bot, watch it.
   * Null after the first trade.
   */
  firstStep: z.enum(['deposit', 'bot', 'watch']).nullable(),
  curve: z.array(CurvePoint),
  /** The balance a day of market time before now, and at each whole hour since. */
  day: z.array(CurvePoint),
  /**
   * The balance as it would be without trading: that at the start of the range, plus deposits and
   * less withdrawals since. Only the points at which it changes. Over all time these are the net
   * deposits.
   */
  withoutTrading: z.array(CurvePoint),
  moneyMarks: z.array(MoneyMark),
  /** Market time of the user's first money. */
  since: Timestamp,
  /** Over the range: `totalBalance` less the last of `withoutTrading`. */
  change: GainOrLoss,
  /** Over the last 24 hours of market time. */
  dailyChange: GainOrLoss,
})
export type Portfolio = z.infer<typeof Portfolio>
