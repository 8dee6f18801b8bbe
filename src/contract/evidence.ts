import { z } from 'zod'
import { byRiskLevel } from '#core/strategy/risk-level.ts'
import { BacktestResult, TradeFigures } from './bots.ts'
import { PairSchema, Percent, RiskLevelSchema, Usd } from './wire.ts'

/** A day in UTC: '2024-05-31'. */
const Day = z.iso.date()

/** The return of one window, with its first and last day. */
const Outcome = z.strictObject({ percent: Percent, from: Day, to: Day })

const Distribution = z.strictObject({
  median: Outcome,
  worst: Outcome,
  best: Outcome,
  /** A tenth of the windows returned this or less; a tenth returned `upper` or more. */
  lower: Outcome,
  upper: Outcome,
  /** The number of windows that lost money, and their share, rounded up. */
  losing: z.number().int(),
  losingPercent: Percent,
  /** Maximum drawdown over the whole period. */
  deepestFall: Percent,
})

export const LevelEvidence = Distribution.extend({
  riskLevel: RiskLevelSchema,
  /** The level's target return, in percent a year. */
  target: z.strictObject({ from: z.number().int(), to: z.number().int() }),
  /** The number of windows that gained at least `target.from`, and their share, rounded down. */
  reached: z.number().int(),
  reachedPercent: Percent,
})
export type LevelEvidence = z.infer<typeof LevelEvidence>

/** Returns of consecutive windows, each `stepDays` after the one before; the first begins with the period. */
const Timeline = z.strictObject({ stepDays: z.number().int(), ...byRiskLevel(() => z.array(Percent)) })

export const EvidenceFigures = z.strictObject({
  windows: z.number().int(),
  windowDays: z.number().int(),
  /** The first day of the first window and the last day of the last one. */
  from: Day,
  to: Day,
  pairs: z.array(PairSchema),
  invested: Usd,
  /** In percent: the first three of the amount traded, the platform fee of the profit at the end of a window. */
  costs: z.strictObject({ tradingFee: Percent, halfSpread: Percent, slippage: Percent, platformFee: Percent }),
  levels: z.array(LevelEvidence),
  buyAndHold: Distribution,
  timeline: Timeline,
  /** SHA-256 over the candles, one per line: pair, open time in milliseconds, then open, high, low and close in units. */
  dataHash: z.string(),
  /** The product's version and the beginning of the hash of the rules that computed this. */
  engineVersion: z.string(),
})
export type EvidenceFigures = z.infer<typeof EvidenceFigures>

/** Hypothetical returns of each risk level in all windows of twelve months. `sentence` says why there are no figures. */
export const Evidence = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('figures'), feedLabel: z.string(), disclaimer: z.string(), figures: EvidenceFigures }),
  z.strictObject({ state: z.enum(['none', 'computing']), feedLabel: z.string(), disclaimer: z.string(), sentence: z.string() }),
])
export type Evidence = z.infer<typeof Evidence>

/** Three figures of each level, which stand beside a claim of returns, without the windows behind them. */
export const EvidenceSummary = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('figures'),
    hypothetical: z.literal(true),
    levels: z.array(z.strictObject({ riskLevel: RiskLevelSchema, median: Percent, worst: Percent, losingPercent: Percent })),
  }),
  z.strictObject({ state: z.enum(['none', 'computing']), sentence: z.string() }),
])
export type EvidenceSummary = z.infer<typeof EvidenceSummary>

/** A bot without an owner, replayed over the last months to show how a bot trades. Holds only its latest trades, and what is shown of them. */
export const SampleBot = BacktestResult.pick({
  hypothetical: true,
  disclaimer: true,
  feedLabel: true,
  from: true,
  to: true,
  invested: true,
  netResult: true,
  returnPercent: true,
  equityCurve: true,
  buyAndHoldCurve: true,
}).extend({
  riskLevel: RiskLevelSchema,
  tradingPairs: z.array(PairSchema),
  trades: z.array(TradeFigures.pick({ tradingPair: true, side: true, amount: true, reason: true, marketTime: true })),
})
export type SampleBot = z.infer<typeof SampleBot>
