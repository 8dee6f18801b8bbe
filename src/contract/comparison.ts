import { z } from 'zod'
import {
  Id,
  PairSchema,
  Percent,
  RiskLevelSchema,
  StrategyKeySchema,
  StrategySchema,
  Timestamp,
} from './wire.ts'

/**
 * `with`: a strategy, or the id of another bot of the user; by default the first other level of the
 * bot's own kind.
 */
export const ComparisonQuery = z.strictObject({ with: z.string().max(100).optional() })

/** Growth in percent since the start of the comparison. */
export const GrowthPoint = z.strictObject({ at: Timestamp, percent: Percent })

/** One of the two that are compared: a bot, or a setting that was only replayed. */
export const Compared = z.strictObject({
  name: z.string(),
  hypothetical: z.boolean(),
  strategy: StrategySchema,
  riskLevel: RiskLevelSchema,
  tradingPairs: z.array(PairSchema),
  /**
   * Market time since which it has had this strategy and these pairs; null if for the whole
   * comparison.
   */
  settingsSince: Timestamp.nullable(),
  /**
   * Net of all costs, as if it were closed at each point. Money put in or taken out is no growth.
   * Empty before the first full hour.
   */
  curve: z.array(GrowthPoint),
  change: Percent,
  /** The deepest fall from a high, at the points of the curve. */
  deepestFall: Percent,
})
export type Compared = z.infer<typeof Compared>

export const Comparison = z.strictObject({
  /** The bot itself. */
  bot: Compared,
  /**
   * The same time as cash, at the rates that this book paid on idle cash; empty where it paid none.
   */
  cash: z.array(GrowthPoint),
  /** A strategy or the id of a bot, as in the query. */
  with: z.string(),
  other: Compared,
  /** Both start with the later of the two and end with the last full hour: market time. */
  from: Timestamp,
  to: Timestamp,
  /** Everything that the bot can be compared with. */
  strategies: z.array(StrategyKeySchema),
  bots: z.array(z.strictObject({ id: Id, name: z.string() })),
  /** Where one side is hypothetical. */
  disclaimer: z.string().nullable(),
})
export type Comparison = z.infer<typeof Comparison>
