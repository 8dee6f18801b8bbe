import { maximum } from '#core/money/amount.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import { interestOf, midnightsBetween, type CashYield } from '#core/trading/cash-yield.ts'
import type { MoneyMove } from './growth.ts'

/**
 * The curve of a bot's money kept as cash with the book's interest. Take-outs never bring it below
 * 0. Inputs are in order of time. At midnight, interest is paid before the moves of that moment.
 */
export function cashCurve({
  moves,
  yields,
  timesMs,
}: {
  moves: readonly MoneyMove[]
  yields: readonly CashYield[]
  timesMs: readonly number[]
}): EquityPoint[] {
  const events = [
    ...yields.map(({ midnightMs, rateBps }) => ({
      timeMs: midnightMs,
      after: (cash: bigint) => cash + interestOf(cash, rateBps),
    })),
    ...moves.map(({ timeMs, amount }) => ({
      timeMs,
      after: (cash: bigint) => maximum(0n, cash + amount),
    })),
  ].toSorted((a, b) => a.timeMs - b.timeMs)
  let cash = 0n
  let passed = 0
  return timesMs.map((timeMs) => {
    for (let event = events[passed]; event && event.timeMs <= timeMs; event = events[passed]) {
      cash = event.after(cash)
      passed += 1
    }
    return { timeMs, equity: cash }
  })
}

export function steadyCashCurve({
  invested,
  rateBps,
  fromMs,
  timesMs,
}: {
  invested: bigint
  rateBps: number
  fromMs: number
  timesMs: readonly number[]
}): EquityPoint[] {
  const yields = midnightsBetween({ fromMs, toMs: timesMs.at(-1) ?? fromMs }).map((midnightMs) => ({
    midnightMs,
    rateBps,
  }))
  return cashCurve({ moves: [{ timeMs: fromMs, amount: invested }], yields, timesMs })
}
