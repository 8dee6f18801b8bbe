import { english } from './english.ts'

/**
 * English sentences, many with values, most of which are stored. They are recognized by these
 * patterns when somebody reads them in another language, so a sentence that fits two patterns
 * stands before the more general one.
 */
export const SENTENCES = {
  invested: english('Invested in bot {name}'),
  added: english('Added to bot {name}'),
  takenOut: english('Taken out of bot {name}'),
  addedByPlan: english('Added by plan to bot {name}'),
  takenOutByPlan: english('Taken out by plan of bot {name}'),
  returned: english('Returned from bot {name}'),
  withdrawal: english('Withdrawal to {name}'),
  cardDeposit: english('Card deposit'),
  refundOwed: english('Refund of {amount} to your card, {missing} of it owed'),
  refund: english('Refund of {amount} to your card'),
  disputeOwed: english('Card payment of {amount} disputed, {missing} of it owed'),
  dispute: english('Card payment of {amount} disputed'),
  refundReturned: english('Refund not taken by your bank'),
  disputeWon: english('Dispute decided in your favor'),
  repaid: english('Repaid what a refund or dispute had left open'),
  bought: english('Bought {coin} · {name}'),
  sold: english('Sold {coin} · {name}'),
  paperPrices: english('Live prices from {name} ({quote}), paper money'),
  livePrices: english('Live prices from {name} ({quote})'),
  otherField: english(
    'The signed message has another {field} than the one we made. Please start again.',
  ),
  stopLoss: english('Stop loss reached: {percent} below its start. Sold to cash.'),
  trailingStop: english('Trailing stop reached: {percent} below its best. Sold to cash.'),
  takeProfit: english('Take profit reached: {percent} above its start. Sold to cash.'),
  dailyLoss: english(
    'Daily loss reached: {percent} lost today. Sold to cash until the next market day.',
  ),
  joins: english('Your bot buys what bots of its level hold. {cause}'),
  boughtToKeep: english('Bought to keep'),
  keepsPart: english('{percent} is kept in coins, the rest in cash'),
  backToPart: english('Coins were {from} of the money: back to {percent}'),
  historyMissing: english(
    '{hours} more hours of history are needed to judge the shortest trend → 0% invested',
  ),
  decidedByVolatility: english(
    '{close}: {trends}, volatility {volatility} a year → {percent} invested',
  ),
  decided: english('{close}: {trends} → {percent} invested'),
  aboveHigh: english('Close {price} above its {days}-day high {level}'),
  belowStop: english('Close {price} below its {days}-day trend stop {level}'),
  noTurn: english('Close {price}, no trend turned'),
  trendUp: english('{up} of {all} trends is up'),
  trendsUp: english('{up} of {all} trends are up'),
} as const

type Slot<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slot<Rest>
  : never

/** A sentence with its values, as it is stored. */
export function filled<const Message extends string>(
  message: Message,
  values: Record<Slot<Message>, string | number>,
): string {
  const texts: Record<string, string | number> = values
  return message.replaceAll(/\{(\w+)\}/g, (slot, name: string) => String(texts[name] ?? slot))
}
