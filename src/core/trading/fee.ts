import { maximum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from './costs.ts'

/** The platform's part of profit that leaves a bot, in basis points. */
export const PERFORMANCE_FEE_BPS = 1_500

export type ClosingFee = {
  /** What the fee is taken from; 0 where money leaves without a profit. */
  profit: Units
  fee: Units
}

/**
 * The platform's fee on money that leaves a bot: its part of the profit in it, floored, and nothing on a loss. Taken once, when the money
 * leaves, never before. `invested`: what was put in for it; of a bot that is left in part, that part of the investment.
 */
export function closingFee({ invested, out, feeBps }: { invested: Units; out: Units; feeBps: number }): ClosingFee {
  const profit = maximum(0n, out - invested)
  return { profit, fee: multiplyDivideFloor({ a: profit, b: BigInt(feeBps), divisor: ALL_BPS }) }
}

/** The part of `amount` that `bps` basis points are, floored: units, money or an investment of which so much is taken out. */
export function partOf(amount: bigint, bps: number): bigint {
  return multiplyDivideFloor({ a: amount, b: BigInt(bps), divisor: ALL_BPS })
}
