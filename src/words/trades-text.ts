import { decimalToUnits } from '#core/money/decimal.ts'
import type { Side } from '#core/trading/fill.ts'
import { listText } from './list-text.ts'
import { msg, t, tCount } from './words.ts'

export type TradeCount = { side: Side; coin: string; count: number }

/** Amounts are decimals. `result`: after the fees. */
export type TradingResult = { trades: readonly TradeCount[]; result: string; fees: string }

/** Coins named. More would not fit into two lines of a phone. */
const NAMED = 2

/**
 * 'Sold ETH twice and bought SOL'; the coin with most trades first, otherwise in the given order.
 */
export function tradesText(trades: readonly TradeCount[]): string {
  const text = listOfTrades(trades)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** 'First trade: bought SOL' */
export function firstTradesText(trades: readonly TradeCount[]): string {
  const count = trades.reduce((sum, group) => sum + group.count, 0)
  const list = listOfTrades(trades)
  return tCount(count, { one: 'First trade: {list}', other: 'First trades: {list}' }, { list })
}

function listOfTrades(trades: readonly TradeCount[]): string {
  const sums = new Map<string, TradeCount>()
  for (const { side, coin, count } of trades) {
    const before = sums.get(`${side} ${coin}`)?.count ?? 0
    sums.set(`${side} ${coin}`, { side, coin, count: before + count })
  }
  const groups = [...sums.values()].toSorted((a, b) => b.count - a.count)
  const named = groups.slice(0, NAMED).map(groupText)
  const more = groups.slice(NAMED).reduce((sum, { count }) => sum + count, 0)
  if (more === 0) return listText(named)
  return tCount(
    more,
    { one: '{list}, and {count} more trade', other: '{list}, and {count} more trades' },
    { list: named.join(', ') },
  )
}

function groupText({ side, coin, count }: TradeCount): string {
  if (count === 1) return side === 'buy' ? t('bought {coin}', { coin }) : t('sold {coin}', { coin })
  if (count === 2)
    return side === 'buy' ? t('bought {coin} twice', { coin }) : t('sold {coin} twice', { coin })
  return side === 'buy'
    ? t('bought {coin} {count} times', { coin, count })
    : t('sold {coin} {count} times', { coin, count })
}

const MESSAGES = {
  nothing: msg('No trades, no change.'),
  noTrade: msg('No trades. Price moves: {result}.'),
  noFees: msg('{trades}. {result}.'),
  loss: msg('{trades}. {result}, {fees} of it trading fees.'),
  fees: msg('{trades}. {result}: the trading fees.'),
  gain: msg('{trades}. {result} after {fees} trading fees.'),
} as const

/** The result as a message, for screens that print its amounts in bold. */
export function resultMessage({ trades, result, fees }: TradingResult) {
  const [change, paid] = [decimalToUnits(result), decimalToUnits(fees)]
  if (trades.length === 0) return change === 0n ? MESSAGES.nothing : MESSAGES.noTrade
  if (paid === 0n) return MESSAGES.noFees
  if (-change === paid) return MESSAGES.fees
  return -change > paid ? MESSAGES.loss : MESSAGES.gain
}

const PERIOD_MESSAGES = {
  loss: msg('{period}: {result}, {fees} of it trading fees.'),
  fees: msg('{period}: {result}, all of it trading fees.'),
  gain: msg('{period}: {result} after {fees} trading fees.'),
} as const

/** The result of a period that ended, as a message. */
export function periodMessage({ result, fees }: Omit<TradingResult, 'trades'>) {
  const [change, paid] = [decimalToUnits(result), decimalToUnits(fees)]
  if (paid > 0n && -change === paid) return PERIOD_MESSAGES.fees
  return -change > paid ? PERIOD_MESSAGES.loss : PERIOD_MESSAGES.gain
}

export function firstPeriodText(days: number): string {
  return days === 7 ? t('First week') : t('First {days} days', { days })
}
