import type { TradeFigures } from '#contract/bots.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'

/**
 * The figures of a trade that add up: amount and fee to the total, and for a sale the total and the
 * cost of the coins to the result.
 */
export type TradeSum = {
  amount: string
  fee: string
  total: string
  cost: string | null
  result: string | null
}

/**
 * `moved`: the money as booked, below 0 for a purchase. Rounded, each sum is the shown balance's
 * change: rounded down, towards the customer's disadvantage, and what is added to it is the rest,
 * so that the shown figures add up too.
 */
export function tradeSum({
  trade,
  moved,
  exact,
}: {
  trade: TradeFigures
  moved: string
  exact: boolean
}): TradeSum {
  const round = (units: bigint) => parseDecimal(unitsToDecimal(units, exact ? 8 : 2)) ?? 0n
  const units = (text: string) => parseDecimal(text) ?? 0n
  const way = trade.side === 'buy' ? -1n : 1n
  const total = round(units(moved))
  const amount = round(units(moved) + units(trade.venueFee))
  const result = trade.profit === null ? null : round(units(trade.profit))
  const text = (figure: bigint) => unitsToDecimal(figure, exact ? 8 : 2)
  return {
    amount: text(way * amount),
    fee: text(way * (total - amount)),
    total: text(way * total),
    cost: result === null ? null : text(result - total),
    result: result === null ? null : text(result),
  }
}
