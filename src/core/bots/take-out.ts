import { english } from '#core/english.ts'
import { maximum, minimum, type Units } from '#core/money/amount.ts'
import { ceilToCents, floorToCents, withoutDust } from '#core/money/cents.ts'
import { multiplyDivideCeil } from '#core/money/rounding.ts'
import { Refusal } from '#core/refusal.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import { closingFee, partOf, type ClosingFee } from '#core/trading/performance-fee.ts'
import { isMovingMoney, type BotStanding } from './bot.ts'

/** Whole percents that can be taken out. For 100, the user closes the bot. */
export const LEAST_PERCENT = 1
export const MOST_PERCENT = 99

export const PERCENT_SENTENCE = english('Choose a share from 1 to 99 percent')

/** Refuses anything but a whole percent from 1 to 99. */
export function partInBps(percent: number): number {
  if (!Number.isInteger(percent) || percent < LEAST_PERCENT || percent > MOST_PERCENT) {
    throw new Refusal('invalid-input', { field: 'percent', sentence: PERCENT_SENTENCE })
  }
  return percent * 100
}

/**
 * `isSettled`: the engine has applied all requests of the owner, and no money is leaving a pool or
 * returning to it. Added money may still be joining.
 */
export type TakeOutStanding = BotStanding & { isSettled: boolean }

/** Refuses a bot that is closing, paused, stopped or moving money. */
export function checkTakeOut({ status, isSettled, ...money }: TakeOutStanding): void {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (status === 'paused' || status === 'stopped') throw new Refusal('bot-paused')
  if (isMovingMoney(money) || !isSettled) throw new Refusal('bot-busy')
}

export type Returned = {
  /** Money out, before the fee. */
  out: Units
  /** Rounded away by pools; the house pays it. */
  dust: Units
  /** A fraction of a cent that stays in the bot. */
  rest: Units
}

/**
 * `left`: money that has left the pools. A closing bot returns all of it; a take-out returns whole
 * cents.
 */
export function returnedOf({ left, isClosed }: { left: Units; isClosed: boolean }): Returned {
  const whole = withoutDust(left)
  const out = isClosed ? whole : floorToCents(whole)
  return { out, dust: maximum(0n, out - left), rest: maximum(0n, left - out) }
}

/**
 * `left`: money out of the pools, not paid yet. `invested`: the part of the investment in `left`
 * and in coins still to be sold. `isLast`: nothing is left to sell.
 */
type Due = { left: Units; invested: Units; isClosed: boolean; isLast: boolean; feeBps: number }

/** `principal`: the part of the investment that leaves. */
export type Payment = Returned & ClosingFee & { principal: Units }

/**
 * One payment of money that leaves a bot. While a pair cannot be sold, the money of the other pairs
 * is paid in whole cents, investment before profit. So all payments and fees together equal a
 * single payment and its fee.
 */
export function paymentOf({ left, invested, isClosed, isLast, feeBps }: Due): Payment {
  const whole = floorToCents(left)
  const returned = isLast
    ? returnedOf({ left, isClosed })
    : { out: whole, dust: 0n, rest: left - whole }
  const { out } = returned
  const principal = isLast ? invested : minimum(invested, out)
  return { ...returned, ...closingFee({ invested: principal, out, feeBps }), principal }
}

/** The part of the investment that leaves with `out`, in whole cents. */
export function investedPart({
  invested,
  takingBps,
  out,
}: {
  invested: Units
  takingBps: number
  out: Units
}): Units {
  return out > 0n ? floorToCents(partOf(invested, takingBps)) : 0n
}

/** Whole cents; the parts add up. */
type TakeOut = {
  out: Units
  /** Cost of selling the coins in this part. */
  cost: Units
  fee: Units
  returned: Units
}

/**
 * `worth`: of the whole bot before the fee; `coins`: its part in coins; `bps`: the part that
 * leaves.
 */
type Leaving = {
  worth: Units
  coins: Units
  invested: Units
  bps: number
  feeBps: number
  costBps: number
}

/**
 * Forecasts the payment at the last price, by the engine's own rule. Rounded against the user, so
 * that the forecast never exceeds the payment.
 */
export function forecastReturn({ worth, coins, invested, bps, feeBps, costBps }: Leaving): TakeOut {
  const out = partOf(worth, bps)
  const cost = multiplyDivideCeil({ a: partOf(coins, bps), b: BigInt(costBps), divisor: ALL_BPS })
  const { fee } = closingFee({ invested: partOf(invested, bps), out: out - cost, feeBps })
  const shown = { out: floorToCents(out), cost: ceilToCents(cost), fee: ceilToCents(fee) }
  return { ...shown, returned: maximum(0n, shown.out - shown.cost - shown.fee) }
}
