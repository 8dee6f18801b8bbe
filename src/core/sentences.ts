import { english } from './english.ts'

/**
 * The database stores the code and the values of a sentence; each reader sees it in their own
 * language.
 */
export const SENTENCES = {
  invested: english('Invested in bot {name}'),
  added: english('Added to bot {name}'),
  takenOut: english('Taken out of bot {name}'),
  addedByPlan: english('Added to bot {name} by plan'),
  takenOutByPlan: english('Taken out of bot {name} by plan'),
  returned: english('Returned from bot {name}'),
  returnedInPart: english('First part returned from bot {name}'),
  takenOutInPart: english('First part taken out of bot {name}'),
  withdrawal: english('Withdrawal to {name}'),
  cardDeposit: english('Card deposit'),
  refundOwed: english('Refund of {amount} to your card, {missing} of it owed'),
  refund: english('Refund of {amount} to your card'),
  disputeOwed: english('Card payment of {amount} disputed, {missing} of it owed'),
  dispute: english('Card payment of {amount} disputed'),
  refundReturned: english('Refund not taken by your bank'),
  disputeWon: english('Dispute decided in your favor'),
  repaid: english('Repaid the amount owed after a refund or dispute'),
  bought: english('Bought {coin} · {name}'),
  sold: english('Sold {coin} · {name}'),
  simulatedMarket: english('Simulated market'),
  simulatedNote: english('Prices here rise and fall by chance; on average holding earns nothing.'),
  recordedMarket: english('Recorded market'),
  paperPrices: english('Live prices from {name} ({quote}), paper money'),
  livePrices: english('Live prices from {name} ({quote})'),
  stopLoss: english('Stop loss reached: {percent} below its start. Sold to cash.'),
  trailingStop: english('Trailing stop reached: {percent} below its high. Sold to cash.'),
  takeProfit: english('Take profit reached: {percent} above its start. Sold to cash.'),
  dailyLoss: english(
    'Daily loss reached: {percent} lost today. Sold to cash until the next market day.',
  ),
  joins: english('Your bot buys what bots of its level hold. {cause}'),
  leaving: english(
    'This share is sold at market price. If you are taking money out, it goes to your balance. ' +
      'If you changed the settings, it buys the coins you chose.',
  ),
  ownCoins: english('Coins that this bot held outside of the pool are sold at market price.'),
  settled: english(
    '{pair} is no longer traded, so the operator bought the coins at {price}. {reason}',
  ),
  worthless: english('The rest was worthless.'),
  paused: english('Paused: the bot keeps its share of what bots of its level hold.'),
  leftPool: english('Money left the pool.'),
  resumed: english("Resumed: the bot's coins and cash returned to the pool."),
  beginsInCash: english('The bot starts in cash.'),
  interest: english('Interest on idle cash.'),
  boughtToKeep: english('Bought to hold'),
  keepsPart: english('{percent} is kept in coins, the rest in cash'),
  backToPart: english('Coins were {from} of the money: back to {percent}'),
  historyMissing: english(
    'The shortest trend needs {hours} more hours of history, so nothing is invested.',
  ),
  decidedByVolatility: english(
    '{close}. {trends}; at these price swings, {percent} of the money for this coin is invested.',
  ),
  decided: english('{close}. {trends}, so {percent} of the money for this coin is invested.'),
  lastTrendEnded: english('{close}. No trend is up, so nothing is invested.'),
  aboveHigh: english('The price rose above its {days}-day high ({level})'),
  belowStop: english('The price fell below the stop of its {days}-day trend ({level})'),
  boughtAboveHigh: english('Bought because {coin} rose above its {days}-day high ({level})'),
  soldBelowStop: english(
    'Sold because {coin} fell below the stop of its {days}-day trend ({level})',
  ),
  noTurn: english('No trend turned'),
  noTrendUp: english('No trend is up, so nothing is invested.'),
  trendUp: english('{up} of {all} trends is up'),
  trendsUp: english('{up} of {all} trends are up'),
} as const

type SentenceCode = keyof typeof SENTENCES

/** `values` as core prints them: '12%', '$5.00', '61,240.00', a name, or another sentence. */
export type Sentence = {
  readonly code: SentenceCode
  readonly values?: Readonly<Record<string, string | number | Sentence>>
}

type Slot<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slot<Rest>
  : never
type ValuesOf<Message extends string> = [Slot<Message>] extends [never]
  ? []
  : [values: Record<Slot<Message>, string | number | Sentence>]

export function sentence<const Code extends SentenceCode>(
  code: Code,
  ...[values]: ValuesOf<(typeof SENTENCES)[Code]>
): Sentence {
  return values === undefined ? { code } : { code, values }
}

export function inEnglish({ code, values = {} }: Sentence): string {
  return SENTENCES[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'object' ? inEnglish(value) : String(value)
  })
}
