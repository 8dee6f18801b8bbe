import { english } from '#core/english.ts'
import { maximum, type Units } from '#core/money/amount.ts'
import { ceilToCents, floorToCents, withoutDust } from '#core/money/cents.ts'
import { multiplyDivideCeil } from '#core/money/rounding.ts'
import { Refusal } from '#core/refusal.ts'
import { ALL_BPS } from '#core/trading/costs.ts'
import { closingFee, partOf } from '#core/trading/fee.ts'
import { isMovingMoney, type BotStanding } from './bot.ts'

/** Of the bot. Taking out everything means closing it. */
export const LEAST_PERCENT = 1
export const MOST_PERCENT = 99

export const PERCENT_SENTENCE = english('Choose a part from 1 to 99 percent')

/** Refuses anything but a whole percent from 1 to 99 as 'invalid-input'. */
export function partInBps(percent: number): number {
  if (!Number.isInteger(percent) || percent < LEAST_PERCENT || percent > MOST_PERCENT) {
    throw new Refusal('invalid-input', { field: 'percent', sentence: PERCENT_SENTENCE })
  }
  return percent * 100
}

/** `isSettled`: all of the owner's requests are adopted, and no money is joining or leaving. */
export type TakeOutStanding = BotStanding & { isSettled: boolean }

/**
 * Refuses a take-out from a bot that is closing ('bot-closing'), paused or stopped ('bot-paused')
 * or still moving money ('bot-busy').
 */
export function checkTakeOut({ status, isSettled, ...money }: TakeOutStanding): void {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (status === 'paused' || status === 'stopped') throw new Refusal('bot-paused')
  if (isMovingMoney(money) || !isSettled) throw new Refusal('bot-busy')
}

export type Returned = {
  /** Before the fee. */
  out: Units
  /** The part of it that pools rounded away: the house pays it. */
  dust: Units
  /** The fraction of a cent that stays in the bot. */
  rest: Units
}

/**
 * Of `left`, which has left the pools, a closing bot returns everything, a take-out whole cents.
 */
export function returnedOf({ left, isClosed }: { left: Units; isClosed: boolean }): Returned {
  const whole = withoutDust(left)
  const out = isClosed ? whole : floorToCents(whole)
  return { out, dust: maximum(0n, out - left), rest: maximum(0n, left - out) }
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

/** In whole cents, which add up. */
export type TakeOut = {
  /** At the last price. */
  out: Units
  /** Of selling the coins in it. */
  cost: Units
  fee: Units
  /** `out` − `cost` − `fee`. */
  returned: Units
}

/**
 * `worth`: of the whole bot before the fee; `coins`: the part of it in coins; `bps`: what leaves.
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
 * Forecasts a take-out, or closing a bot, at the last price; the engine pays by the same rule. All
 * is rounded against the amount returned, so that no more is promised than comes.
 */
export function forecastReturn({ worth, coins, invested, bps, feeBps, costBps }: Leaving): TakeOut {
  const out = partOf(worth, bps)
  const cost = multiplyDivideCeil({ a: partOf(coins, bps), b: BigInt(costBps), divisor: ALL_BPS })
  const { fee } = closingFee({ invested: partOf(invested, bps), out: out - cost, feeBps })
  const shown = { out: floorToCents(out), cost: ceilToCents(cost), fee: ceilToCents(fee) }
  return { ...shown, returned: maximum(0n, shown.out - shown.cost - shown.fee) }
}
