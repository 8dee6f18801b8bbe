import { z } from 'zod'
import { Decimal, PairSchema, Percent, Timestamp } from './wire.ts'

/** Basis points of the value at the start, with one decimal: '-12.5'. */
const Bps = z.string().regex(/^-?\d+\.\d$/)

/** The result less the backtest's, and its parts, which add up to it. */
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
  /**
   * As it happened here: the change of the value of one unit, after all costs of trading and before
   * our fee.
   */
  real: Percent,
  /**
   * Hypothetical: the same strategy over the same candles at the assumed costs. Null where the
   * strategy is not replayed.
   */
  backtest: Percent.nullable(),
  gap: RecordGap.nullable(),
}

const RecordedPool = z.strictObject({
  /** In addresses: 'BTC-USD-trend-moderate'. */
  id: z.string(),
  pair: PairSchema,
  /** never: no bot has used it yet · open: bots use it · empty: everybody has left. */
  state: z.enum(['never', 'open', 'empty']),
  ...Results,
})
export type RecordedPool = z.infer<typeof RecordedPool>

/** Results in percent since the book began, at a market time. */
const RecordPoint = z.strictObject({ at: Timestamp, real: Percent, backtest: Percent.nullable() })

export const RecordedStrategy = z.strictObject({
  /** The name that pools carry. A strategy that is no longer offered stays in the record. */
  strategy: z.string(),
  ...Results,
  /** By day, of a long record every few days; the last point is the latest hour. */
  curve: z.array(RecordPoint),
  pools: z.array(RecordedPool),
})
export type RecordedStrategy = z.infer<typeof RecordedStrategy>

const RecordedCash = z.array(z.strictObject({ at: Timestamp, percent: Percent }))
export type RecordedCash = z.infer<typeof RecordedCash>

const Common = { market: z.string(), isPaper: z.boolean() }

/**
 * The track record of every strategy since the book began. `sentence` says why there are no figures
 * yet.
 */
export const TrackRecord = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('figures'),
    ...Common,
    /** Market time: the hour in which the book began, and the latest hour that is settled. */
    from: Timestamp,
    to: Timestamp,
    strategies: z.array(RecordedStrategy),
    /**
     * The same time as cash, at the rates that this book paid on idle cash; empty where it paid
     * none.
     */
    cash: RecordedCash,
  }),
  z.strictObject({ state: z.enum(['none', 'computing']), ...Common, sentence: z.string() }),
])
export type TrackRecord = z.infer<typeof TrackRecord>

/** `until`: the end of the hours asked for; by default the latest. */
export const PoolRecordQuery = z.strictObject({ until: Timestamp.optional() })

/** One pool, hour by hour. */
export const PoolRecord = z.strictObject({
  id: z.string(),
  strategy: z.string(),
  pair: PairSchema,
  ...Common,
  /**
   * At most 30 days, oldest first. `unitValue`: what one dollar with which the pool began has
   * become, lives linked.
   */
  hours: z.array(RecordPoint.extend({ unitValue: Decimal })),
})
export type PoolRecord = z.infer<typeof PoolRecord>
