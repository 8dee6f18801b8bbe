import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { valueFloor } from '#core/money/rounding.ts'

/** The owner's holdings after buying and holding instead. */
export type HoldHoldings = { cash: Units; coins: ReadonlyMap<Pair, Units> }

export function holdWorth({ cash, coins }: HoldHoldings, priceOf: (pair: Pair) => Units): Units {
  return [...coins].reduce(
    (sum, [pair, quantity]) => sum + valueFloor({ quantity, price: priceOf(pair) }),
    cash,
  )
}
