/** The whole, in basis points (1/100 of a percent). */
export const ALL_BPS = 10_000n

/**
 * What a trade costs, in basis points of the money traded.
 * A paper fill is charged all three; an exchange's own fills carry their real spread and slippage.
 */
export type TradingCosts = {
  /** The venue's taker fee, charged on the notional. */
  feeBps: number
  /** Half of the distance between best bid and best ask: a market order always pays it. */
  halfSpreadBps: number
  /** How far an order moves the price against itself. */
  slippageBps: number
}

/**
 * Source: the taker fee of Binance spot without discounts is 10 bps; BTC and ETH against USDT trade inside 1 bp of spread and
 * small coins around 2 to 4, so 2 bps of half spread and 5 bps of slippage are on the careful side for small orders.
 */
export const DEFAULT_COSTS: TradingCosts = { feeBps: 10, halfSpreadBps: 2, slippageBps: 5 }

export function totalCostBps(costs: TradingCosts): number {
  return costs.feeBps + costs.halfSpreadBps + costs.slippageBps
}
