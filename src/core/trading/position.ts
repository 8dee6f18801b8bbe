import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { multiplyDivideFloor, valueFloor } from '#core/money/rounding.ts'

/**
 * A bot's money on one pair (a sleeve). Profits stay in the pair and are never moved to another.
 */
export type Position = {
  /** Units of USD. */
  cash: Units
  /** Units of base. */
  base: Units
  /** Units of USD paid for `base`, venue fees included. */
  cost: Units
  /** Exposure last traded to, 0 to 10 000 basis points of the sleeve's equity. */
  appliedBps: number
}

/** See `allocate`. */
export type Share = {
  /** Units of base bought or sold. */
  quantity: Units
  /** Units of USD debited (buy) or credited (sell), after the venue's fee. */
  total: Units
  /** Venue fee included in `total`, units of USD. */
  fee: Units
}

export function openPosition(cash: Units): Position {
  return { cash, base: 0n, cost: 0n, appliedBps: 0 }
}

/** The value of cash and coins at `price`, floored. */
export function equityOf({ position, price }: { position: Position; price: Units }): Units {
  return position.cash + valueFloor({ quantity: position.base, price })
}

/** Equal parts, floored; the first also gets the remainder. */
export function splitInvestment({ invested, count }: { invested: Units; count: number }): Units[] {
  assert(count > 0 && invested >= 0n, 'an investment is split over at least one pair')
  const part = invested / BigInt(count)
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? invested - part * BigInt(count - 1) : part,
  )
}

/** Throws `AssertionFailed` if the cash does not cover `share.total`. */
export function applyBuy({ position, share, exposureBps }: Traded): Position {
  assert(share.total <= position.cash, 'a buy never overdraws its sleeve')
  return {
    ...position,
    cash: position.cash - share.total,
    base: position.base + share.quantity,
    cost: position.cost + share.total,
    appliedBps: exposureBps,
  }
}

/**
 * A sale reduces the cost basis by its share (average cost, floored, so that the rest never has
 * less than its cost). `profit`: of this sale, after venue fees. Throws `AssertionFailed` if more
 * is sold than held.
 */
export function applySell({ position, share, exposureBps }: Traded): {
  position: Position
  profit: Units
} {
  assert(share.quantity <= position.base, 'a sale never exceeds what is held')
  const sellsAll = share.quantity === position.base
  const costShare = sellsAll
    ? position.cost
    : multiplyDivideFloor({ a: position.cost, b: share.quantity, divisor: position.base })
  const profit = share.total - costShare
  const sold = {
    ...position,
    cash: position.cash + share.total,
    base: position.base - share.quantity,
    cost: position.cost - costShare,
    appliedBps: exposureBps,
  }
  return { position: sold, profit }
}

type Traded = { position: Position; share: Share; exposureBps: number }
