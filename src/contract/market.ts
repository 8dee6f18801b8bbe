import { z } from 'zod'
import type { CallRows } from './call-row.ts'
import { Bot, NextStep, TradeFigures } from './bots.ts'
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
  SideSchema,
  Timestamp,
  Usd,
  RangeQuery,
} from './wire.ts'

export const Price = z.strictObject({
  name: z.string(),
  price: Decimal,
  change24h: Percent,
  /** The last `TRACE_HOURS` hourly closes, oldest first. */
  trace: z.array(Decimal),
  /** Market time. */
  at: Timestamp,
  /** True if the exchange has been silent for too long: nothing is traded on this price. */
  stale: z.boolean(),
})
export type Price = z.infer<typeof Price>

/** By symbol: BTC, ETH, ADA … */
export const Prices = z.record(z.string(), Price)
export type Prices = z.infer<typeof Prices>

/** A changed price in the event `prices`. */
export type PriceTick = Pick<Price, 'price' | 'change24h' | 'at' | 'stale'> & {
  /**
   * Closes of the hours since the last event, oldest first. After a gap, some of them may be known
   * already.
   */
  closes?: readonly string[]
}
export type PriceTicks = Record<string, PriceTick>

export const TRACE_HOURS = 24

/** Deposits and withdrawals close to each other on the curve, shown as one mark. */
const MoneyMark = z.strictObject({
  /** Market time of the first. */
  at: Timestamp,
  count: z.int(),
  /** Sum of the changes of the balance. */
  amount: Usd,
  /** The bot's latest row of the history, if any. */
  latest: z.strictObject({ id: Id, description: z.string(), createdAt: Timestamp }).nullable(),
})
export type MoneyMark = z.infer<typeof MoneyMark>

/** Everything that the user owns, read at one moment, so that the figures are consistent. */
export const Portfolio = z.strictObject({
  /** Market time. */
  at: Timestamp,
  ...Balances.shape,
  /** Deposits minus withdrawals so far. */
  netDeposits: Usd,
  /** Open bots, newest first. Their `equity` adds up to `investedBalance`. */
  bots: z.array(Bot),
  botHoldings: z.record(Id, BotHoldings),
  pools: HeldPools,
  /** A new user's next step: add money, create a bot, watch the bot. Null after the first trade. */
  firstStep: z.enum(['deposit', 'bot', 'watch']).nullable(),
})
export type Portfolio = z.infer<typeof Portfolio>

/** Trades of one side in one coin at one moment of market time. `fee`: their total fee. */
export const TradeGroup = z.strictObject({
  at: Timestamp,
  side: SideSchema,
  coin: z.string(),
  count: z.int(),
  fee: Decimal,
})
export type TradeGroup = z.infer<typeof TradeGroup>

/** The total balance over market time, at the last hourly closes. */
export const BalanceCurve = z.strictObject({
  range: z.enum(RANGES),
  /** Equals `netDeposits` of a portfolio of the same moment. */
  netDeposits: Usd,
  curve: z.array(CurvePoint),
  /** The balance at each whole hour of the last market day. */
  day: z.array(CurvePoint),
  /** The trades after the beginning of `day`, newest first. */
  dayTrades: z.array(TradeGroup),
  /** Market time of the user's first trade, if it is one of `dayTrades`. */
  firstTradeAt: Timestamp.nullable(),
  /**
   * The user's first week or 30 days of market time with money, if they ended within `day`. `at`:
   * their end. Null if nothing was traded in them, and on the day of the first trade.
   */
  firstPeriod: z
    .strictObject({ days: z.int(), at: Timestamp, result: Usd, tradingFees: Usd })
    .nullable(),
  /**
   * The balance at the start of the range, plus deposits and minus withdrawals since then, with a
   * point at each step. Over all time: net deposits.
   */
  withoutTrading: z.array(CurvePoint),
  moneyMarks: z.array(MoneyMark),
  /** Market time of the user's first money. */
  since: Timestamp,
})
export type BalanceCurve = z.infer<typeof BalanceCurve>

/** `at`: market time of the open. */
const ChartCandle = z.strictObject({
  at: Timestamp,
  open: Decimal,
  high: Decimal,
  low: Decimal,
  close: Decimal,
})

/** The level's last decision on this pair. */
export const LevelNow = z.strictObject({
  riskLevel: RiskLevelSchema,
  wantedPercent: z.int(),
  reason: z.string(),
  decidedAt: Timestamp,
})
export type LevelNow = z.infer<typeof LevelNow>

/**
 * A trade of an open or closed bot. Only the receipt has its profit, because computing that needs
 * the bot's whole life.
 */
export const MarketTrade = TradeFigures.omit({ profit: true }).extend({
  id: z.string(),
  botId: Id,
  botName: z.string(),
})
export type MarketTrade = z.infer<typeof MarketTrade>

/** One of the user's active bots on this pair, and the prices at which it changes something. */
export const BotOnMarket = z.strictObject({
  botId: Id,
  botName: z.string(),
  wantedPercent: z.int(),
  next: NextStep,
})
export type BotOnMarket = z.infer<typeof BotOnMarket>

/** A coin's page, read at one moment. */
export const Market = z.strictObject({
  pair: PairSchema,
  range: z.enum(RANGES),
  candleHours: z.int(),
  /** Oldest first; the last one may still grow. */
  candles: z.array(ChartCandle),
  /** Market time, a whole hour. */
  closedUntil: Timestamp,
  levels: z.array(LevelNow),
  /**
   * The 80 % range of the next 24 market hours, in percent of the last close; by the plain formula
   * while the model rests.
   */
  forecast: z.strictObject({ low: Percent, high: Percent, rests: z.boolean() }).nullable(),
  /** Hold bots are left out. */
  bots: z.array(BotOnMarket),
  /** The user's trades on this pair, newest first, at most 200. */
  trades: z.array(MarketTrade),
})
export type Market = z.infer<typeof Market>

export const marketCalls = {
  getPrices: {
    summary: 'The latest price of each coin',
    access: 'public',
    keys: 'read',
    response: Prices,
    problems: ['market-unavailable'],
  },
  getMarket: {
    summary: 'Candles of a pair, the decisions on it and your trades in it',
    access: 'user',
    id: 'name',
    keys: 'read',
    query: RangeQuery,
    response: Market,
  },
  getPortfolio: {
    summary: 'Balances, bots and holdings at one moment',
    access: 'user',
    keys: 'read',
    response: Portfolio,
  },
  getBalanceCurve: {
    summary: 'Your balance over time',
    access: 'user',
    keys: 'read',
    query: RangeQuery,
    response: BalanceCurve,
  },
} satisfies CallRows
