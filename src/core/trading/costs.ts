/** The whole, in basis points (1/100 of a percent). */
export const ALL_BPS = 10_000n

/**
 * Costs of a trade, in basis points of the money traded.
 * Paper fills are charged all three; an exchange's fills already include their actual spread and slippage.
 */
export type TradingCosts = {
  /** The venue's taker fee, charged on the notional. */
  feeBps: number
  /** Half the spread between best bid and best ask, which every market order pays. */
  halfSpreadBps: number
  /** Price move against the order that the order itself causes. */
  slippageBps: number
}

/**
 * Source: Binance's spot taker fee without discounts is 10 bps. BTC and ETH against USDT trade at a spread below 1 bp and small coins at
 * about 2 to 4, so 2 bps of half spread and 5 bps of slippage are conservative for small orders.
 */
export const DEFAULT_COSTS: TradingCosts = { feeBps: 10, halfSpreadBps: 2, slippageBps: 5 }

export function totalCostBps(costs: TradingCosts): number {
  return costs.feeBps + costs.halfSpreadBps + costs.slippageBps
}
