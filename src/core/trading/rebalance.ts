import { assert } from '#core/assert.ts'
import { minimum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor, quantityFloor, valueFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import { totalCostBps, type TradingCosts } from './costs.ts'
import type { Order } from './fill.ts'
import { paperFillPrice } from './paper-fill.ts'
import type { Position } from './position.ts'

/** All equity in the base asset. */
export const FULL_EXPOSURE_BPS = 10_000

/**
 * Units of quote reserved in a purchase for rounding: notional, fee and share of a block are each
 * rounded up.
 */
const ROUNDING_RESERVE: Units = 4n

type RebalanceInput = {
  /** Holdings of a pool, or of a sleeve in a backtest. */
  position: Pick<Position, 'cash' | 'base' | 'appliedBps'>
  /** Target, 0 to 10 000 basis points of the position's equity. */
  exposureBps: number
  /** Market price in units of quote, above 0. */
  price: Units
  costs: TradingCosts
}

/** Undefined if the exposure is already applied or the order would be empty. */
export function planOrder({
  position,
  exposureBps,
  price,
  costs,
}: RebalanceInput): Order | undefined {
  assert(price > 0n, 'a price is above 0')
  if (exposureBps === position.appliedBps) return undefined
  const current = valueFloor({ quantity: position.base, price })
  const target = multiplyDivideFloor({
    a: position.cash + current,
    b: BigInt(exposureBps),
    divisor: ALL_BPS,
  })
  if (target > current)
    return planBuy({ wanted: target - current, cash: position.cash, price, costs })
  return planSell({ position, exposureBps, excess: current - target, price })
}

function planBuy({
  wanted,
  cash,
  price,
  costs,
}: {
  wanted: Units
  cash: Units
  price: Units
  costs: TradingCosts
}): Order | undefined {
  const affordable =
    multiplyDivideFloor({
      a: cash,
      b: ALL_BPS,
      divisor: ALL_BPS + BigInt(totalCostBps(costs)) + 1n,
    }) - ROUNDING_RESERVE
  const amount = minimum(wanted, affordable)
  const quantity = quantityFloor({ amount, price: paperFillPrice({ side: 'buy', price, costs }) })
  return quantity > 0n ? { side: 'buy', quantity } : undefined
}

function planSell({
  position,
  exposureBps,
  excess,
  price,
}: Omit<RebalanceInput, 'costs'> & { excess: Units }): Order | undefined {
  const quantity =
    exposureBps === 0
      ? position.base
      : minimum(quantityFloor({ amount: excess, price }), position.base)
  return quantity > 0n ? { side: 'sell', quantity } : undefined
}
