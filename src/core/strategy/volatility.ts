import { HOURS_A_YEAR } from '#core/market/candle.ts'

/**
 * Exponentially weighted mean of squared log returns, bias-corrected during warm-up. The mean
 * return is taken as zero, which is negligible over an hour. A return across a hole counts as a
 * single return.
 */
export type Volatility = {
  readonly decay: number
  sum: number
  weight: number
  previousClose: number
}

/** `halfLife`: in candles. */
export function volatilityOf(halfLife: number): Volatility {
  return { decay: 2 ** (-1 / halfLife), sum: 0, weight: 0, previousClose: 0 }
}

/** `close`: above 0, in any unit. */
export function pushClose(volatility: Volatility, close: number): void {
  const { decay, previousClose } = volatility
  volatility.previousClose = close
  if (previousClose === 0) return
  const change = Math.log(close / previousClose)
  volatility.sum = decay * volatility.sum + (1 - decay) * change * change
  volatility.weight = decay * volatility.weight + (1 - decay)
}

/** A fraction: 0.48 is 48 %. 0 before the second close and in a market that never moved. */
export function yearlyVolatility({ sum, weight }: Volatility): number {
  return weight === 0 ? 0 : Math.sqrt((sum / weight) * HOURS_A_YEAR)
}
