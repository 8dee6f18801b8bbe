import { z } from 'zod'
import { TradeFigures } from './bots.ts'
import { RANGES } from './query-values.ts'
import { Decimal, Id, PairSchema, RiskLevelSchema, Timestamp } from './wire.ts'

export const MarketQuery = z.strictObject({ range: z.enum(RANGES).default('1M') })

/** Prices in USD during one step of the chart. `at`: market time at which it opens. */
export const ChartCandle = z.strictObject({
  at: Timestamp,
  open: Decimal,
  high: Decimal,
  low: Decimal,
  close: Decimal,
})
export type ChartCandle = z.infer<typeof ChartCandle>

/**
 * The part of its money on this pair that a risk level wants invested, and its reason, as the
 * engine last decided.
 */
export const LevelNow = z.strictObject({
  riskLevel: RiskLevelSchema,
  wantedPercent: z.number().int(),
  reason: z.string(),
  decidedAt: Timestamp,
})
export type LevelNow = z.infer<typeof LevelNow>

/**
 * A trade of one of the user's bots, open or closed. Its realized profit is on its receipt: it
 * requires the bot's whole life.
 */
export const MarketTrade = TradeFigures.omit({ profit: true }).extend({
  id: z.string(),
  botId: Id,
  botName: z.string(),
})
export type MarketTrade = z.infer<typeof MarketTrade>

/** One pair's market, read at one moment. */
export const Market = z.strictObject({
  pair: PairSchema,
  range: z.enum(RANGES),
  /** Length of a candle. */
  candleHours: z.number().int(),
  /** Oldest first. The last one is still growing until its hours are over. */
  candles: z.array(ChartCandle),
  /** Market time, a whole hour, up to which candles are closed. */
  closedUntil: Timestamp,
  levels: z.array(LevelNow),
  /** Of the user's bots on this pair, newest first, at most 200. */
  trades: z.array(MarketTrade),
})
export type Market = z.infer<typeof Market>
