import type { TradingCosts } from '#core/trading/costs.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import type { Venue } from '#server/ports/venue.ts'

/**
 * Fills at the market's price, worsened by half the spread and slippage, plus the fee.
 * Deterministic.
 */
export function paperVenue(costs: TradingCosts): Venue {
  return {
    name: 'paper',
    accepts: async () => 'yes',
    execute: async ({ side, quantity, price }) => ({
      ...paperFill({ side, quantity, price, costs }),
      isFullyFilled: true,
    }),
  }
}
