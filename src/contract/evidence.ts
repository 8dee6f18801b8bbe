import { z } from 'zod'
import { byRiskLevel } from '#core/strategy/risk-level.ts'
import { BacktestResult } from './bots.ts'
import { PairSchema, Percent, RiskLevelSchema, Usd } from './wire.ts'

/** A day, UTC: '2024-05-31'. */
const Day = z.iso.date()

/** What one window gave, and on which days it began and ended. */
const Outcome = z.strictObject({ percent: Percent, from: Day, to: Day })

const Distribution = z.strictObject({
  median: Outcome,
  worst: Outcome,
  best: Outcome,
  /** A tenth of the windows gave this or less, and a tenth `upper` or more. */
  lower: Outcome,
  upper: Outcome,
  /** Windows that ended with less than they began with, and their share, rounded up. */
  losing: z.number().int(),
  losingPercent: Percent,
  /** The deepest fall from a peak on the way through the whole period. */
  deepestFall: Percent,
})

export const LevelEvidence = Distribution.extend({
  riskLevel: RiskLevelSchema,
  /** What the product names as the level's aim, in percent a year. */
  target: z.strictObject({ from: z.number().int(), to: z.number().int() }),
  /** Windows that gained at least `target.from`, and their share, rounded down. */
  reached: z.number().int(),
  reachedPercent: Percent,
})
export type LevelEvidence = z.infer<typeof LevelEvidence>

/** What windows gave that began one after another, the first at the beginning of the period. */
const Timeline = z.strictObject({ stepDays: z.number().int(), ...byRiskLevel(() => z.array(Percent)) })

export const EvidenceFigures = z.strictObject({
  windows: z.number().int(),
  windowDays: z.number().int(),
  /** The day on which the first window begins and that on which the last one ends. */
  from: Day,
  to: Day,
  pairs: z.array(PairSchema),
  invested: Usd,
  /** Each in percent: the first three of the money traded, the platform's of the profit at the end of a window. */
  costs: z.strictObject({ tradingFee: Percent, halfSpread: Percent, slippage: Percent, platformFee: Percent }),
  levels: z.array(LevelEvidence),
  buyAndHold: Distribution,
  timeline: Timeline,
  /** SHA-256 of the candles, one line each: pair, open time in milliseconds, open, high, low, close in units. */
  dataHash: z.string(),
  /** Version of the product and, of the rules that computed this, the beginning of their hash. */
  engineVersion: z.string(),
})
export type EvidenceFigures = z.infer<typeof EvidenceFigures>

/** What each risk level would have given in all windows of twelve months. Hypothetical; `sentence` says why there are no figures. */
export const Evidence = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('figures'), feedLabel: z.string(), disclaimer: z.string(), figures: EvidenceFigures }),
  z.strictObject({ state: z.enum(['none', 'computing']), feedLabel: z.string(), disclaimer: z.string(), sentence: z.string() }),
])
export type Evidence = z.infer<typeof Evidence>

/** A bot that nobody owns, replayed over the market's last months: what a bot at work looks like. Its trades are the latest few. */
export const SampleBot = BacktestResult.extend({ riskLevel: RiskLevelSchema, tradingPairs: z.array(PairSchema) })
export type SampleBot = z.infer<typeof SampleBot>
