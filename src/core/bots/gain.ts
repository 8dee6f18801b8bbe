import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'

type Past = { start: Units; flows: readonly Units[]; end: Units }

/** `putIn`: the money at the start and all that came since. */
type Gain = { gain: Units; putIn: Units }

/** Gain from trading, excluding `flows` of outside money. */
export function gainIn({ start, flows, end }: Past): Gain {
  const sum = (amounts: readonly Units[]) => amounts.reduce((total, amount) => total + amount, 0n)
  return {
    gain: end - start - sum(flows),
    putIn: start + sum(flows.filter((flow) => flow > 0n)),
  }
}

export const gainOf = (past: Past) => shownGain(gainIn(past))

/** The gain, also in percent of all money put in. */
export function shownGain({ gain, putIn }: Gain): Record<'amount' | 'percent', string> {
  return {
    amount: unitsToDecimal(gain, 2),
    percent: percentOf({ part: gain, whole: putIn }),
  }
}
