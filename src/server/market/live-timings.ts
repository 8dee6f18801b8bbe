/** Milliseconds of wall-clock time. */
export type LiveTimings = {
  /** The longest time between two prices of a pair, by the socket or by polling. */
  expectedIntervalMs: number
  /** A candle is final this long after its hour: exchanges finish it late. */
  closeMarginMs: number
  /**
   * The clock waits this long for a closed candle; then its pair does not trade until it arrives.
   */
  graceMs: number
  /** Retry interval for a missing closed candle. */
  askAgainMs: number
  clockEveryMs: number
  /** Largest clock error at which orders are sent. */
  mostSkewMs: number
}

export const LIVE_TIMINGS: LiveTimings = {
  expectedIntervalMs: 10_000,
  closeMarginMs: 3_000,
  graceMs: 120_000,
  askAgainMs: 5_000,
  clockEveryMs: 300_000,
  mostSkewMs: 30_000,
}

/**
 * After these multiples of the expected interval without a price, a pair is polled, the connection
 * dropped, and the price stale.
 */
export const ASK_AFTER = 1.5
export const DROP_AFTER = 2
export const STALE_AFTER = 2.5
