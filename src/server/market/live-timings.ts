/** How patient we are with an exchange. All in milliseconds of the wall's clock. */
export type LiveTimings = {
  /** A pair is expected to be heard from at least this often, be it on the socket or, where that is quiet, because we asked. */
  expectedIntervalMs: number
  /** So long after its hour a candle is final: exchanges finish it a moment later, and tell their time in whole seconds. */
  closeMarginMs: number
  /** A closed candle is waited for so long; then its pair does not trade until it comes. */
  graceMs: number
  /** A closed candle that is not there yet is asked for again after this. */
  askAgainMs: number
  /** Between two readings of the exchange's clock. */
  clockEveryMs: number
  /** A machine whose clock is further off than this sends no orders. */
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

/** In expected intervals. Whoever is silent for three was found out before: asked at the first, dropped at the second, stale at the third. */
export const ASK_AFTER = 1.5
export const DROP_AFTER = 2
export const STALE_AFTER = 2.5
