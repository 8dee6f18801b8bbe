import { z } from 'zod'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { COUNTED, PAIR_PROBLEMS, type CallRows } from './call-row.ts'
import { Day, PairSchema, Percent } from './wire.ts'

const Loss = z.string().regex(/^\d+\.\d{4}$/)
const Ratio = z.string().regex(/^-?\d+\.\d{1,2}$/)

/** `held80` and `held95`: days that stayed in the range. `qlike`: lower is better. */
const OutlookScore = z.strictObject({
  qlike: Loss,
  held80: z.int(),
  held95: z.int(),
  percent80: Percent,
  percent95: Percent,
})

/** Scores of the model and of the plain formula on the same days. */
const ForecastScore = OutlookScore.extend({ days: z.int(), plain: OutlookScore })
export type ForecastScore = z.infer<typeof ForecastScore>

/**
 * Days on which the forecast chance of a fall was from `from` to below `to` percent. `said`: the
 * mean of these chances.
 */
const SaidChance = z.strictObject({
  from: z.int(),
  to: z.int(),
  days: z.int(),
  happened: z.int(),
  said: Percent,
  happenedPercent: Percent,
})
export type SaidChance = z.infer<typeof SaidChance>

/** Scores of the ranges of whole bots: one bot of each kind on all recorded prices. */
const BotRangeScore = z.strictObject({
  strategy: z.enum(STRATEGY_KEYS),
  days: z.int(),
  held80: z.int(),
  percent80: Percent,
})

/** Scores of the shipped range models (data/models) on recorded candles. */
export const ForecastScores = z.strictObject({
  model: z.string(),
  from: Day,
  to: Day,
  months: z.int(),
  total: ForecastScore,
  /** Of 100 days, those that stayed in the 80 % range, and those that ended below it. */
  heldOf100: z.int(),
  belowOf100: z.int(),
  /** Lower and upper end of the 80 % range, each the median of all forecasts. */
  medianLow: Percent,
  medianHigh: Percent,
  byPair: z.array(ForecastScore.extend({ name: PairSchema })),
  byYear: z.array(ForecastScore.extend({ name: z.string() })),
  /** From the calmest third of days to the wildest. */
  byThird: z.array(ForecastScore),
  chances: z.array(SaidChance),
  bots: z.array(BotRangeScore),
  /** Falls of a bot, in percent, whose forecast chances `botChances` compares with outcomes. */
  botFalls: z.array(z.int()),
  botChances: z.array(SaidChance),
  /** Whether the newest model rests, because the plain formula was better over a year. */
  rests: z.boolean(),
  restedMonths: z.array(z.string()),
  /** Months in which the plain formula was better. */
  worseMonths: z.array(ForecastScore.extend({ name: z.string() })),
})

export type ForecastScores = z.infer<typeof ForecastScores>

/**
 * Scores of the forecasts on this live market. `missed`: midnights without a forecast since the
 * first. `forecasts`: those with a known outcome, on `days` days. `chances`: empty until there are
 * enough days.
 */
export const MarketScores = z.strictObject({
  since: Day,
  days: z.int(),
  missed: z.int(),
  forecasts: z.int(),
  held80: z.int(),
  chances: z.array(SaidChance),
})
export type MarketScores = z.infer<typeof MarketScores>

/** Forecasts and outcomes as stored, one line per midnight. `head`: SHA-256 of the last line. */
export const ForecastBundle = z.strictObject({
  format: z.literal('forecasts 1'),
  market: z.string().max(1_000),
  scores: MarketScores.nullable(),
  head: z.string(),
  lines: z.array(z.string()).min(1),
})
export type ForecastBundle = z.infer<typeof ForecastBundle>

/** A row without `value` shows several results as a range. */
const TriedResult = z.strictObject({
  value: Ratio.nullable(),
  low: Ratio.nullable(),
  high: Ratio.nullable(),
})
export type TriedResult = z.infer<typeof TriedResult>

/**
 * A learned way to trade, tried on five coins and on seven others. `sharpe`: difference in Sharpe
 * ratio from the rules; `area`: area under the ROC curve of its forecasts.
 */
export const TriedForTrading = z.strictObject({
  id: z.enum([
    'one-day',
    'five-days',
    'twenty-days',
    'trees',
    'net',
    'target',
    'entry-logistic',
    'entry-trees',
    'learners',
    'minimum-variance',
  ]),
  measure: z.enum(['sharpe', 'area']),
  five: TriedResult,
  seven: TriedResult,
})
export type TriedForTrading = z.infer<typeof TriedForTrading>

/**
 * The next 24 market hours of a bot with coins: the 80 % range of its worth, and the chances in
 * whole percents that the worth is 1, 2, 3 … percent lower or higher at the close of an hour. Lists
 * of chances end before the first 0.
 */
export const NextDay = z.strictObject({
  low: Percent,
  high: Percent,
  falls: z.array(z.int()),
  rises: z.array(z.int()),
  /** True if the plain formula made the forecast, because the model rests. */
  rests: z.boolean(),
})
export type NextDay = z.infer<typeof NextDay>

/** `pairs`: separated by commas. */
const BotForecastQuery = z.strictObject({
  strategy: z.enum(STRATEGY_KEYS),
  pairs: z.string().min(1).max(200),
})

/**
 * The next day of a new bot, with the coins that its rules want now. `isInCash`: the rules want no
 * coins. Until the rules have decided on each coin, `isInCash` is false and `nextDay` is null.
 */
export const BotForecast = z.strictObject({ isInCash: z.boolean(), nextDay: NextDay.nullable() })

export const Forecasts = z.strictObject({
  scores: ForecastScores,
  /** Null except on a live market with forecasts. */
  here: MarketScores.nullable(),
  /** Learned ways to trade that were tried; `tried` sums them up. */
  variants: z.int(),
  tried: z.array(TriedForTrading),
})
export type Forecasts = z.infer<typeof Forecasts>

export const forecastCalls = {
  getForecasts: {
    summary: 'How well the ranges of prices were forecast',
    access: 'public',
    keys: 'read',
    response: Forecasts,
  },
  getForecastBundle: {
    summary: 'All forecasts on a live market and their outcomes, as stored',
    access: 'public',
    writes: true,
    response: ForecastBundle,
    problems: ['not-found', ...COUNTED],
  },
  getBotForecast: {
    summary: 'How far a bot that does not exist may move in a day',
    access: 'user',
    keys: 'read',
    query: BotForecastQuery,
    response: BotForecast,
    problems: PAIR_PROBLEMS,
  },
} satisfies CallRows
