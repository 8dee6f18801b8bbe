import { assert } from '#core/assert.ts'
import { normalBelow, normalQuantile } from './normal.ts'
import { DAYS_A_YEAR, type ReturnMoments } from './returns.ts'

/** Euler-Mascheroni constant. */
const GAMMA = 0.5772156649015329

/** Number of settings tried, and the variance of their daily Sharpe ratios. */
export type TrialSpread = { trials: number; variance: number }

/** Daily; 0 if all returns are equal. */
export function dailySharpe({ mean, deviation }: ReturnMoments): number {
  return deviation > 0 ? mean / deviation : 0
}

export function yearlySharpe(moments: ReturnMoments): number {
  return dailySharpe(moments) * Math.sqrt(DAYS_A_YEAR)
}

/**
 * Probability that the true Sharpe ratio is above `hurdle` (daily), given the number and shape of
 * returns: the probabilistic Sharpe ratio of Bailey and López de Prado, "The Sharpe Ratio Efficient
 * Frontier", Journal of Risk 2012.
 */
export function probabilityAbove(moments: ReturnMoments, hurdle: number): number {
  const { count, skewness, kurtosis } = moments
  const sharpe = dailySharpe(moments)
  const variance = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2
  assert(variance > 0, 'a Sharpe ratio has a variance')
  return normalBelow(((sharpe - hurdle) * Math.sqrt(count - 1)) / Math.sqrt(variance))
}

/**
 * Expected maximum of `trials` independent standard normal values, by the False Strategy theorem: 2
 * % too high for 10 trials, closer for more. 0 for a single trial.
 */
export function expectedMaximum(trials: number): number {
  if (trials <= 1) return 0
  return (
    (1 - GAMMA) * normalQuantile(1 - 1 / trials) + GAMMA * normalQuantile(1 - 1 / (trials * Math.E))
  )
}

/** Expected daily Sharpe ratio of the best of `trials` settings without skill. */
export function luckHurdle({ trials, variance }: TrialSpread): number {
  return Math.sqrt(variance) * expectedMaximum(trials)
}

/**
 * Probability that the true Sharpe ratio is above that of the best of as many trials without skill:
 * Bailey and López de Prado, "The Deflated Sharpe Ratio", Journal of Portfolio Management 2014.
 */
export function deflatedSharpe(moments: ReturnMoments, spread: TrialSpread): number {
  return probabilityAbove(moments, luckHurdle(spread))
}

/**
 * Years of history below which the best of `trials` settings without skill is expected to show at
 * least this yearly Sharpe ratio: Bailey, Borwein, López de Prado and Zhu, "Pseudo-Mathematics and
 * Financial Charlatanism", Notices of the AMS 2014. Infinite without a gain.
 */
export function minimumYears({ trials, sharpe }: { trials: number; sharpe: number }): number {
  return sharpe > 0 ? (expectedMaximum(trials) / sharpe) ** 2 : Number.POSITIVE_INFINITY
}

/** `sharpes`: yearly. */
export function spreadOf(sharpes: readonly number[]): TrialSpread {
  const mean = sharpes.reduce((sum, each) => sum + each, 0) / sharpes.length
  const squares = sharpes.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return {
    trials: sharpes.length,
    variance: sharpes.length > 1 ? squares / (sharpes.length - 1) / DAYS_A_YEAR : 0,
  }
}
