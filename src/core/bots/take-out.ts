import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import { closingFee, partOf, PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { BotStanding } from './bot.ts'

/** The part of a bot that may be taken out while it goes on, in whole percent. All of it is a close. */
export const LEAST_PERCENT = 1
export const MOST_PERCENT = 99

/** What is said of any other part. */
export const PERCENT_SENTENCE = 'Choose a part from 1 to 99 percent'

/** The part in basis points; refuses one that is not a whole percent from 1 to 99 as 'invalid-input'. */
export function partInBps(percent: number): number {
  if (!Number.isInteger(percent) || percent < LEAST_PERCENT || percent > MOST_PERCENT) {
    throw new Refusal('invalid-input', { field: 'percent', sentence: PERCENT_SENTENCE })
  }
  return percent * 100
}

/** `isSettled`: the engine knows all that the owner wants, and no money of the bot is on its way into a pool for the first time or out of one. */
export type TakeOutStanding = BotStanding & { isSettled: boolean }

/** Refuses to take a part out of a bot that closes, rests, or still moves money. */
export function checkTakeOut({ status, takingBps, isSettled }: TakeOutStanding): void {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (status === 'paused') throw new Refusal('bot-paused')
  if (takingBps !== null || !isSettled) throw new Refusal('bot-busy')
}

export type TakeOut = {
  /** What the part would sell for at the last price. */
  out: Units
  fee: Units
  /** What the balance would get. */
  returned: Units
}

/**
 * What a part of a bot would bring at the last price: a forecast, for the market decides until it is sold. `worth`: of the whole bot, before
 * the fee. The rule is the one by which the engine pays.
 */
export function forecastTakeOut({ worth, invested, percent }: { worth: Units; invested: Units; percent: number }): TakeOut {
  const bps = partInBps(percent)
  const out = partOf(worth, bps)
  const { fee } = closingFee({ invested: partOf(invested, bps), out, feeBps: PERFORMANCE_FEE_BPS })
  return { out, fee, returned: out - fee }
}
