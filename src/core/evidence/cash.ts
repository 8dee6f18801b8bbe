import { required } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { interestOf, midnightsBetween } from '#core/trading/cash-yield.ts'
import type { WindowOutcome } from './distribution.ts'
import type { Window } from './universe.ts'

/** Yearly market rates of cash in basis points, by month such as '2024-05'. */
export type CashRates = ReadonlyMap<string, number>

/** `windows`: those whose months all have a known rate. `won`: windows that beat cash. */
export type CashComparison = { windows: number; won: number }

function rateAt(rates: CashRates, midnightMs: number): number | undefined {
  return rates.get(new Date(midnightMs - 1).toISOString().slice(0, 7))
}

/** Cash after earning each day's rate; undefined if a month's rate is unknown. */
export function cashEnd({
  window,
  invested,
  rates,
}: {
  window: Window
  invested: Units
  rates: CashRates
}): Units | undefined {
  let cash = invested
  for (const midnightMs of midnightsBetween(window)) {
    const rateBps = rateAt(rates, midnightMs)
    if (rateBps === undefined) return undefined
    cash += interestOf(cash, rateBps)
  }
  return cash
}

/** `ends`: cash at the end of each window. Undefined if no window can be compared. */
export function compareWithCash(
  outcomes: readonly WindowOutcome[],
  ends: readonly (Units | undefined)[],
): CashComparison | undefined {
  const compared = outcomes.flatMap(({ end }, which) =>
    ends[which] === undefined ? [] : [{ end, cash: required(ends[which], 'cash of this window') }],
  )
  return compared.length === 0
    ? undefined
    : { windows: compared.length, won: compared.filter(({ end, cash }) => end > cash).length }
}

/** The mean yearly rate, a fraction; undefined if a month's rate is unknown. */
export function meanCashRate(rates: CashRates, span: Window): number | undefined {
  const daily = midnightsBetween(span).map((midnightMs) => rateAt(rates, midnightMs))
  if (daily.length === 0 || daily.includes(undefined)) return undefined
  return daily.reduce<number>((sum, rateBps) => sum + (rateBps ?? 0), 0) / daily.length / 10_000
}
