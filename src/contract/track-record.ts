import { z } from 'zod'
import type { CallRows } from './call-row.ts'
import { NextStep } from './bots.ts'
import {
  Decimal,
  GrowthPoint,
  NoFigures,
  PairSchema,
  Percent,
  RiskLevelSchema,
  Timestamp,
} from './wire.ts'

/** Basis points of the value at the start, with one decimal: '-12.5'. */
const Bps = z.string().regex(/^-?\d+\.\d$/)

/** The real result minus the backtest's, and the parts of this gap. */
export const RecordGap = z.strictObject({
  total: Bps,
  fee: Bps,
  spread: Bps,
  delay: Bps,
  missed: Bps,
  interest: Bps,
  rounding: Bps,
})
export type RecordGap = z.infer<typeof RecordGap>

const Results = {
  /** Change of a pool unit's value, after all trading costs, before our fee. */
  real: Percent,
  /** Hypothetical, over the same candles at the assumed costs; null if not replayed. */
  backtest: Percent.nullable(),
  gap: RecordGap.nullable(),
}

const RecordedPool = z.strictObject({
  /** 'BTC-USD-trend-moderate'. */
  id: z.string(),
  pair: PairSchema,
  /** never: no bot has used it yet · open: bots use it · empty: all have left. */
  state: z.enum(['never', 'open', 'empty']),
  ...Results,
})
export type RecordedPool = z.infer<typeof RecordedPool>

/** Results since the book began. `at`: market time. */
const RecordPoint = z.strictObject({ at: Timestamp, real: Percent, backtest: Percent.nullable() })

export const RecordedStrategy = z.strictObject({
  /** A pool's strategy key; may be that of a strategy no longer offered. */
  strategy: z.string(),
  ...Results,
  /** Daily or every few days; the last point is the latest hour. */
  curve: z.array(RecordPoint),
  pools: z.array(RecordedPool),
})
export type RecordedStrategy = z.infer<typeof RecordedStrategy>

const RecordedCash = z.array(GrowthPoint)
export type RecordedCash = z.infer<typeof RecordedCash>

const Common = { market: z.string(), isPaper: z.boolean() }

/** The record since the book began. */
export const TrackRecord = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('figures'),
    ...Common,
    /** Market time: the book's first and latest settled hour. */
    from: Timestamp,
    to: Timestamp,
    strategies: z.array(RecordedStrategy),
    /** Cash with interest over this time; empty if the book paid none. */
    cash: RecordedCash,
  }),
  NoFigures.extend(Common),
])
export type TrackRecord = z.infer<typeof TrackRecord>

/**
 * The present decision of a strategy on one coin. `percent`: the invested part of its money for
 * this coin.
 */
const StrategyNow = z.strictObject({
  riskLevel: RiskLevelSchema,
  pair: PairSchema,
  price: Decimal,
  percent: z.int(),
  /** The share invested, with the level, in words. */
  share: z.string(),
  trends: NextStep.shape.trends,
  /** A sentence: the nearest change. */
  doing: z.string(),
  /** A sentence: the strategy's result in the track record, once it is computed. */
  record: z.string(),
})
export type StrategyNow = z.infer<typeof StrategyNow>

export const recordCalls = {
  getStrategyNow: {
    summary: 'What bots of the middle risk level do on one coin now',
    access: 'public',
    keys: 'read',
    response: StrategyNow,
    problems: ['market-unavailable'],
  },
  getTrackRecord: {
    summary: 'Real results of each strategy beside the backtest',
    access: 'public',
    keys: 'read',
    response: TrackRecord,
  },
} satisfies CallRows
