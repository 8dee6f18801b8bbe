import { z } from 'zod'
import {
  GrowthPoint,
  Id,
  PairSchema,
  Percent,
  RiskLevelSchema,
  StrategyKeySchema,
  StrategySchema,
  Timestamp,
} from './wire.ts'

/** `with`: a strategy, or the id of another bot; by default the first other level of the kind. */
export const ComparisonQuery = z.strictObject({ with: z.string().max(100).optional() })

/** A bot, or a setting that was only replayed. */
export const Compared = z.strictObject({
  name: z.string(),
  hypothetical: z.boolean(),
  strategy: StrategySchema,
  riskLevel: RiskLevelSchema,
  tradingPairs: z.array(PairSchema),
  /** Market time since which it has had these settings; null for the whole comparison. */
  settingsSince: Timestamp.nullable(),
  /** Net of all costs, as if closed at each point, without money moves. Empty for an hour. */
  curve: z.array(GrowthPoint),
  change: Percent,
  /** Max drawdown at the points of the curve. */
  deepestFall: Percent,
})
export type Compared = z.infer<typeof Compared>

export const Comparison = z.strictObject({
  bot: Compared,
  /** The book's interest on idle cash in the same time; empty where it paid none. */
  cash: z.array(GrowthPoint),
  /** As in the query. */
  with: z.string(),
  other: Compared,
  /** The start of the later of the two, and the last full hour: market time. */
  from: Timestamp,
  to: Timestamp,
  /** All that the bot can be compared with. */
  strategies: z.array(StrategyKeySchema),
  bots: z.array(z.strictObject({ id: Id, name: z.string() })),
  /** Where one side is hypothetical. */
  disclaimer: z.string().nullable(),
})
export type Comparison = z.infer<typeof Comparison>
