import type { Units } from '#core/money/amount.ts'
import {
  multiplyDivideCeil,
  multiplyDivideFloor,
  valueCeil,
  valueFloor,
} from '#core/money/rounding.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import type { TradingCosts } from './costs.ts'
import type { Fill, Order, Side } from './fill.ts'

/** Fills an order in full, at a price no better than the market's. */
export function paperFill({
  side,
  quantity,
  price,
  costs,
}: Order & { price: Units; costs: TradingCosts }): Fill {
  const filledAt = paperFillPrice({ side, price, costs })
  const notional =
    side === 'buy'
      ? valueCeil({ quantity, price: filledAt })
      : valueFloor({ quantity, price: filledAt })
  const fee = multiplyDivideCeil({ a: notional, b: BigInt(costs.feeBps), divisor: ALL_BPS })
  return { side, quantity, price: filledAt, notional, fee }
}

/** Half the spread, slippage and rounding all make the price worse for the customer. */
export function paperFillPrice({
  side,
  price,
  costs,
}: {
  side: Side
  price: Units
  costs: TradingCosts
}): Units {
  const againstBps = BigInt(costs.halfSpreadBps + costs.slippageBps)
  return side === 'buy'
    ? multiplyDivideCeil({ a: price, b: ALL_BPS + againstBps, divisor: ALL_BPS })
    : multiplyDivideFloor({ a: price, b: ALL_BPS - againstBps, divisor: ALL_BPS })
}
