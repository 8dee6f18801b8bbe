import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { valueFloor } from '#core/money/rounding.ts'

/** Cash and the coins of each pair of a bot's owner who had bought and held instead. */
export type HoldHoldings = { cash: Units; coins: ReadonlyMap<Pair, Units> }

/** Their value, units of USD. */
export function holdWorth({ cash, coins }: HoldHoldings, priceOf: (pair: Pair) => Units): Units {
  return [...coins].reduce(
    (sum, [pair, quantity]) => sum + valueFloor({ quantity, price: priceOf(pair) }),
    cash,
  )
}
