import { maximum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from './costs.ts'

/** Platform fee, in basis points of the profit that leaves a bot. */
export const PERFORMANCE_FEE_BPS = 1_500

export type ClosingFee = {
  /** The profit that the fee is charged on; 0 for a loss. */
  profit: Units
  fee: Units
}

/**
 * The platform fee on money that leaves a bot: `feeBps` of the profit in it, floored, and 0 on a
 * loss. Charged once, when the money leaves. `out`: that money, units of USD. `invested`: the
 * investment behind it; for a take-out, that part of the bot's investment.
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

/** `bps` basis points of `amount`, floored. `amount`: pool units or money. */
export function partOf(amount: bigint, bps: number): bigint {
  return multiplyDivideFloor({ a: amount, b: BigInt(bps), divisor: ALL_BPS })
}
