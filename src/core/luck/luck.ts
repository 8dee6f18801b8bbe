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

/** A strategy is distinguishable from luck if it is better than holding with this probability, */
const CONFIDENCE = 0.95
/** and if its settings are overfitted with less than this probability. */
const OVERFITTED = 0.5

/** Any seed gives nearly the same band; a fixed one makes it reproducible. */
const BAND_SEED = 20_140_722

/**
 * The settings tried before a strategy's own were chosen. `overfitting`: their probability of
 * backtest overfitting; without a choice there is none.
 */
export type TrialRecord = TrialSpread & { overfitting: number | undefined }

export type LuckInput = {
  /**
   * Daily returns after the costs of trading and before the platform fee, and those of holding the
   * same coins on the same days.
   */
  returns: readonly number[]
  held: readonly number[]
  trials: TrialRecord
  /** Yearly yield of cash, a fraction. */
  cashRate: number
  /** Platform fee in basis points of profit, taken from the outcomes of the band. */
  feeBps: number
}

/** How far the past of one strategy can be distinguished from luck. */
export type LuckFigures = {
  /** Sharpe ratio a year above cash. */
  sharpe: number
  /**
   * The deflated Sharpe ratio: probability of being better than the best of as many trials without
   * skill.
   */
  deflated: number
  /**
   * The same beside holding the coins: probability of being better than the best of as many trials
   * that each were as good as holding. A bot that buys at random times has its share in the rise of
   * the coins without any skill.
   */
  aboveHolding: number
  /** Sharpe ratio a year above cash of holding the same coins. */
  heldSharpe: number
  overfitting: number | undefined
  trials: number
  /**
   * Years of history, which is also the number of windows of twelve months that share no day:
   * starts a day apart only look like more. Below `minimumYears` the best of as many settings
   * without skill would have looked this good.
   */
  years: number
  minimumYears: number
  /**
   * Nine tenths of the outcomes of twelve months if the same days had come in another order; after
   * the platform fee.
   */
  band: OutcomeBand
  isDistinguishable: boolean
}

/**
 * The rule of the label, of decision 051: distinguishable from luck only if the deflated Sharpe
 * ratio beside holding reaches 95 %, which implies the plain one, and the settings are overfitted
 * with a probability below one half.
 */
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
