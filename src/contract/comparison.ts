import { z } from 'zod'
import { COUNTED, type CallRows } from './call-row.ts'
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

/** `with`: a strategy or another bot's id; default: the first other level of the same kind. */
export const ComparisonQuery = z.strictObject({ with: z.string().max(100).optional() })

/** One side: a bot, or settings that were only replayed. */
export const Compared = z.strictObject({
  name: z.string(),
  hypothetical: z.boolean(),
  strategy: StrategySchema,
  riskLevel: RiskLevelSchema,
  tradingPairs: z.array(PairSchema),
  /** Market time of its last change of settings; null if before the comparison. */
  settingsSince: Timestamp.nullable(),
  /**
   * Growth after all costs, as if the bot were closed at each point. Money put in or taken out does
   * not count. Empty in the first hour.
   */
  curve: z.array(GrowthPoint),
  change: Percent,
  /** Maximum drawdown at the points of the curve. */
  deepestFall: Percent,
})
export type Compared = z.infer<typeof Compared>

export const Comparison = z.strictObject({
  bot: Compared,
  /** Cash with interest over the same time; empty if the book paid none. */
  cash: z.array(GrowthPoint),
  /** Id of a bot or a strategy key, as in the query. */
  with: z.string(),
  other: Compared,
  /** Market time. `from`: the later of the two starts; `to`: the last full hour. */
  from: Timestamp,
  to: Timestamp,
  /** Every strategy that the bot can be compared with. */
  strategies: z.array(StrategyKeySchema),
  bots: z.array(z.strictObject({ id: Id, name: z.string() })),
  /** Shown if one side is hypothetical. */
  disclaimer: z.string().nullable(),
})
export type Comparison = z.infer<typeof Comparison>

export const comparisonCalls = {
  compareBot: {
    summary: 'A bot beside another bot or strategy',
    access: 'user',
    writes: true,
    keys: 'read',
    query: ComparisonQuery,
    response: Comparison,
    problems: COUNTED,
  },
} satisfies CallRows
