import { z } from 'zod'
import type { CallRows } from './call-row.ts'
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

/** The same days by the model and by the plain formula. */
const ForecastScore = OutlookScore.extend({ days: z.int(), plain: OutlookScore })
export type ForecastScore = z.infer<typeof ForecastScore>

/** Days whose chance of a fall was `from` to below `to` percent; `said`: its mean. */
const SaidChance = z.strictObject({
  from: z.int(),
  to: z.int(),
  days: z.int(),
  happened: z.int(),
  said: Percent,
  happenedPercent: Percent,
})
export type SaidChance = z.infer<typeof SaidChance>

/** Scores of the shipped range models on recorded candles: data/models. */
export const ForecastScores = z.strictObject({
  model: z.string(),
  from: Day,
  to: Day,
  months: z.int(),
  total: ForecastScore,
  /** Days of 100 that stayed in the 80 % range. */
  heldOf100: z.int(),
  byPair: z.array(ForecastScore.extend({ name: PairSchema })),
  byYear: z.array(ForecastScore.extend({ name: z.string() })),
  /** From the calmest third of days to the wildest. */
  byThird: z.array(ForecastScore),
  chances: z.array(SaidChance),
  /** Months in which the plain formula was better. */
  worseMonths: z.array(ForecastScore.extend({ name: z.string() })),
})

/** A row without `value` sums up several results as a span. */
const TriedResult = z.strictObject({
  value: Ratio.nullable(),
  low: Ratio.nullable(),
  high: Ratio.nullable(),
})
export type TriedResult = z.infer<typeof TriedResult>

/** A learned way to trade: the difference of its Sharpe ratio, or the area under its curve. */
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

export const Forecasts = z.strictObject({
  scores: ForecastScores,
  /** Learned ways to trade that were tried; `tried` sums them up. */
  variants: z.int(),
  tried: z.array(TriedForTrading),
})
export type Forecasts = z.infer<typeof Forecasts>

export const forecastCalls = {
  getForecasts: {
    summary: 'How well the ranges of prices were forecast',
    access: 'public',
    response: Forecasts,
  },
} satisfies CallRows
