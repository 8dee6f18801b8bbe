/** Time limits for an exchange, in milliseconds of wall-clock time. */
export type LiveTimings = {
  /**
   * Each pair's price is refreshed at least this often: by the socket or, if that is quiet, by
   * polling.
   */
  expectedIntervalMs: number
  /**
   * A candle is final this long after its hour: exchanges finish it late, and report their time in
   * whole seconds.
   */
  closeMarginMs: number
  /**
   * The clock waits this long for a closed candle; afterwards its pair does not trade until it
   * arrives.
   */
  graceMs: number
  /** Retry interval for a missing closed candle. */
  askAgainMs: number
  /** Interval between two measurements of the exchange's clock. */
  clockEveryMs: number
  /** No orders are sent while the machine's clock is off by more than this. */
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
 * In expected intervals of silence: the pair is polled, then the connection dropped, then the price
 * stale.
 */
export const ASK_AFTER = 1.5
export const DROP_AFTER = 2
export const STALE_AFTER = 2.5
