import { assert } from '#core/assert.ts'
import { minimum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { equityOf, type Position } from './position.ts'

const ALL_BPS = 10_000n

/** The platform's part of new realised profit, in basis points. */
export const PERFORMANCE_FEE_BPS = 1_500

export type PerformanceFee = {
  /** New profit that the fee is taken from; it raises the mark. */
  chargeable: Units
  fee: Units
}

export const NO_FEE: PerformanceFee = { chargeable: 0n, fee: 0n }

/**
 * The platform's fee after a sale, on the bot as a whole: only realised profit above everything charged before, and only as far as
 * the bot's equity bears it out (a gain on one pair pays nothing while another pair's loss, realised or not, outweighs it).
 * It is taken from the cash of the sleeve that sold, so the chargeable profit is capped at what that cash can pay for.
 */
export function performanceFee({ sleeves, invested, feesPaid, feeBps, cash }: {
  /** All sleeves of the bot after the sale, each with the last price of its pair. */
  sleeves: readonly { position: Position; price: Units }[]
  /** What the customer put into the bot. */
  invested: Units
  /** All platform fees that the bot paid before. */
  feesPaid: Units
  /** 1 to 10 000. */
  feeBps: number
  /** The cash of the selling sleeve. */
  cash: Units
}): PerformanceFee {
  const total = sum(sleeves, ({ position }) => position.realised)
  const equity = sum(sleeves, equityOf)
  const mark = sum(sleeves, ({ position }) => position.mark)
  const aboveMark = minimum(total, equity + feesPaid - invested) - mark
  const chargeable = minimum(aboveMark, multiplyDivideFloor({ a: cash, b: ALL_BPS, divisor: BigInt(feeBps) }))
  if (chargeable <= 0n) return NO_FEE
  return { chargeable, fee: multiplyDivideFloor({ a: chargeable, b: BigInt(feeBps), divisor: ALL_BPS }) }
}

/** The selling sleeve after it paid. */
export function payFee({ position, due }: { position: Position; due: PerformanceFee }): Position {
  assert(due.fee <= position.cash, 'a fee never overdraws its sleeve')
  return { ...position, cash: position.cash - due.fee, mark: position.mark + due.chargeable }
}

function sum<Item>(items: readonly Item[], amount: (item: Item) => Units): Units {
  return items.reduce((total, item) => total + amount(item), 0n)
}
