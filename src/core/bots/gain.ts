import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'

type GainFigures = Record<'amount' | 'percent', string>

/** Gain from trading, excluding `flows` of outside money; in percent of all money put in. */
export function gainOf({
  start,
  flows,
  end,
}: {
  start: Units
  flows: readonly Units[]
  end: Units
}): GainFigures {
  const sum = (amounts: readonly Units[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const amount = end - start - sum(flows)
  return {
    amount: unitsToDecimal(amount, 2),
    percent: percentOf({ part: amount, whole: start + sum(flows.filter((flow) => flow > 0n)) }),
  }
}
