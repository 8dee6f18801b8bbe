import { bootstrapBand, type OutcomeBand } from './bootstrap.ts'
import { DAYS_A_YEAR, momentsOf } from './returns.ts'
import {
  dailySharpe,
  deflatedSharpe,
  luckHurdle,
  minimumYears,
  probabilityAbove,
  yearlySharpe,
  type TrialSpread,
} from './sharpe.ts'

/** To count as distinguishable from luck, a strategy must beat holding with this probability. */
const CONFIDENCE = 0.95
/** To count as distinguishable, the probability of overfitted settings must be below this. */
const OVERFITTED = 0.5

/** Any seed gives nearly the same band; a fixed one makes it reproducible. */
const BAND_SEED = 20_140_722

/** The settings tried. `overfitting`: its probability; undefined without a choice of settings. */
export type TrialRecord = TrialSpread & { overfitting: number | undefined }

type LuckInput = {
  /** Daily, after trading costs, before the platform fee. */
  returns: readonly number[]
  /** Daily returns of holding the same coins on the same days. */
  held: readonly number[]
  trials: TrialRecord
  /** Yearly, a fraction. */
  cashRate: number
  /** Platform fee, deducted from the band. */
  feeBps: number
}

export type LuckFigures = {
  /** Yearly, above cash. */
  sharpe: number
  deflated: number
  /**
   * Like `deflated`, but the trials are assumed to be as good as holding, because random times to
   * buy gain too.
   */
  aboveHolding: number
  heldSharpe: number
  overfitting: number | undefined
  trials: number
  /** Years of history, which is the number of windows that do not overlap. */
  years: number
  minimumYears: number
  /** Range of the returns of twelve months, after the platform fee. */
  band: OutcomeBand
  isDistinguishable: boolean
}

/** Source: decision 051. Beating holding implies beating 0, its lowest Sharpe ratio here. */
export function luckOf({ returns, held, trials, cashRate, feeBps }: LuckInput): LuckFigures {
  const moments = momentsOf(returns, { cashRate })
  const sharpe = yearlySharpe(moments)
  const deflated = deflatedSharpe(moments, trials)
  const holding = momentsOf(held, { cashRate })
  const aboveHolding = probabilityAbove(
    moments,
    Math.max(0, dailySharpe(holding)) + luckHurdle(trials),
  )
  const { low, median, high } = bootstrapBand(returns, { days: DAYS_A_YEAR, seed: BAND_SEED })
  const afterFee = (gain: number) => (gain > 0 ? gain * (1 - feeBps / 10_000) : gain)
  return {
    sharpe,
    deflated,
    aboveHolding,
    heldSharpe: yearlySharpe(holding),
    overfitting: trials.overfitting,
    trials: trials.trials,
    years: returns.length / DAYS_A_YEAR,
    minimumYears: minimumYears({ trials: trials.trials, sharpe }),
    band: { low: afterFee(low), median: afterFee(median), high: afterFee(high) },
    isDistinguishable: aboveHolding >= CONFIDENCE && (trials.overfitting ?? 0) < OVERFITTED,
  }
}
