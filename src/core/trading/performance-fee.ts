import { maximum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from '#core/money/percent.ts'

/** Platform fee in basis points of the profit that leaves a bot. */
export const PERFORMANCE_FEE_BPS = 1_500

export type ClosingFee = {
  /** Base of the fee; 0 for a loss. */
  profit: Units
  fee: Units
}

/**
 * The platform fee on money that leaves a bot: `feeBps` of the profit in it, floored, 0 on a loss.
 * `out`: the money, units of USD. `invested`: the part of the investment in it.
 */
export function closingFee({
  invested,
  out,
  feeBps,
}: {
  invested: Units
  out: Units
  feeBps: number
}): ClosingFee {
  const profit = maximum(0n, out - invested)
  return { profit, fee: multiplyDivideFloor({ a: profit, b: BigInt(feeBps), divisor: ALL_BPS }) }
}

/** `bps` basis points of `amount` (pool units or money), floored. */
export function partOf(amount: bigint, bps: number): bigint {
  return multiplyDivideFloor({ a: amount, b: BigInt(bps), divisor: ALL_BPS })
}
