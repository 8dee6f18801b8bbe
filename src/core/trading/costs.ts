/**
 * In basis points of the money traded. Paper fills are charged all three; an exchange's fills
 * already include their actual spread and slippage.
 */
export type TradingCosts = {
  /** The venue's taker fee, charged on the notional. */
  feeBps: number
  /** Half the gap between best bid and best ask. */
  halfSpreadBps: number
  /** Adverse price move that the order itself causes. */
  slippageBps: number
}

/**
 * Assumptions: half the spread is below 1 bp for BTC and ETH and about 1 to 2 for small coins. The
 * slippage cannot be measured on hourly candles.
 */
const SMALL_ORDERS = { halfSpreadBps: 2, slippageBps: 5 }

/**
 * Small market orders at the taker fee for the lowest volume, November 2026. Sources:
 * kraken.com/features/fee-schedule (0.40 % below $10,000 in 30 days), coinbase.com/advanced-fees
 * (1.20 % below $1,000, the tier "Advanced 1"), binance.com/en/fee/schedule (0.10 % for regular
 * users, without discounts). An account that trades more pays less.
 */
export const VENUE_COSTS = {
  kraken: { feeBps: 40, ...SMALL_ORDERS },
  coinbase: { feeBps: 120, ...SMALL_ORDERS },
  binance: { feeBps: 10, ...SMALL_ORDERS },
} as const satisfies Record<string, TradingCosts>

export type VenueName = keyof typeof VENUE_COSTS

/** Assumed worst slippage beyond the spread of a live order, in basis points. */
export const LIVE_SLIPPAGE_BPS = 25

export function totalCostBps(costs: TradingCosts): number {
  return costs.feeBps + costs.halfSpreadBps + costs.slippageBps
}
