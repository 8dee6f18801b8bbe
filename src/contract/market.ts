import { z } from 'zod'
import { Bot, TradeFigures } from './bots.ts'
import { BotHoldings, HeldPools } from './holdings.ts'
import { RANGES } from './query-values.ts'
import {
  Balances,
  CurvePoint,
  Decimal,
  Id,
  PairSchema,
  Percent,
  RiskLevelSchema,
  Timestamp,
  Usd,
} from './wire.ts'

export const Price = z.strictObject({
  name: z.string(),
  price: Decimal,
  /** Since 24 market hours ago. */
  change24h: Percent,
  /** The last `TRACE_HOURS` hourly closes, oldest first. */
  trace: z.array(Decimal),
  /** Market time. */
  at: Timestamp,
  /** The exchange has been silent for too long: nothing trades on this last known price. */
  stale: z.boolean(),
})
export type Price = z.infer<typeof Price>

/** Keyed by symbol: BTC, ETH, ADA … */
export const Prices = z.record(z.string(), Price)
export type Prices = z.infer<typeof Prices>

/** The new values of a symbol whose price changed, in the event `prices`. */
export type PriceTick = Pick<Price, 'price' | 'change24h' | 'at' | 'stale'> & {
  /** Hours that closed since the last event, oldest first; after a gap, known ones too. */
  closes?: readonly string[]
}
export type PriceTicks = Record<string, PriceTick>

/** Hourly closes in a trace. */
export const TRACE_HOURS = 24

/** Deposits and withdrawals close to each other on the curve. */
const MoneyMark = z.strictObject({
  /** Market time of the first. */
  at: Timestamp,
  count: z.int(),
  /** Sum of the changes of the balance. */
  amount: Usd,
  /** Its row of the history; null where that has none. */
  latest: z.strictObject({ id: Id, description: z.string(), createdAt: Timestamp }).nullable(),
})
export type MoneyMark = z.infer<typeof MoneyMark>

const GainOrLoss = z.strictObject({ amount: Usd, percent: Percent })

/**
 * Everything that the user owns, read at one moment, so that its figures agree. Changes are the
 * gain or loss of trading, without deposits and withdrawals.
 */
export const Portfolio = z.strictObject({
  range: z.enum(RANGES),
  ...Balances.shape,
  /** Open bots, newest first. Their `equity` adds up to `investedBalance`. */
  bots: z.array(Bot),
  /** By the id of the bot. */
  botHoldings: z.record(Id, BotHoldings),
  pools: HeldPools,
  /** The next step of a new user: add money, create a bot, watch it. Null after the first trade. */
  firstStep: z.enum(['deposit', 'bot', 'watch']).nullable(),
  /** The total balance over market time; ends at `totalBalance`. */
  curve: z.array(CurvePoint),
  /** The balance a day of market time ago, and at each whole hour since. */
  day: z.array(CurvePoint),
  /**
   * The balance at the start of the range, plus deposits and less withdrawals since: the points at
   * which it changes. Over all time these are the net deposits.
   */
  withoutTrading: z.array(CurvePoint),
  moneyMarks: z.array(MoneyMark),
  /** Market time of the user's first money. */
  since: Timestamp,
  /** Over the range. */
  change: GainOrLoss,
  /** Over the last 24 hours of market time. */
  dailyChange: GainOrLoss,
})
export type Portfolio = z.infer<typeof Portfolio>

/** `at`: market time at which it opens. */
const ChartCandle = z.strictObject({
  at: Timestamp,
  open: Decimal,
  high: Decimal,
  low: Decimal,
  close: Decimal,
})

/** A risk level's last decision on this pair. */
export const LevelNow = z.strictObject({
  riskLevel: RiskLevelSchema,
  wantedPercent: z.int(),
  reason: z.string(),
  decidedAt: Timestamp,
})
export type LevelNow = z.infer<typeof LevelNow>

/** Of an open or closed bot. The realized profit, on the receipt, requires the bot's whole life. */
export const MarketTrade = TradeFigures.omit({ profit: true }).extend({
  id: z.string(),
  botId: Id,
  botName: z.string(),
})
export type MarketTrade = z.infer<typeof MarketTrade>

/** Read at one moment. */
export const Market = z.strictObject({
  pair: PairSchema,
  range: z.enum(RANGES),
  /** Length of a candle. */
  candleHours: z.int(),
  /** Oldest first; the last one may still grow. */
  candles: z.array(ChartCandle),
  /** Market time, a whole hour. */
  closedUntil: Timestamp,
  levels: z.array(LevelNow),
  /** The user's on this pair, newest first, at most 200. */
  trades: z.array(MarketTrade),
})
export type Market = z.infer<typeof Market>
