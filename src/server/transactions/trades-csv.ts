import type { ExportQuery } from '#contract/transactions.ts'
import { csvCell, csvLine, csvNumber, type CsvStyle } from '#core/csv-cell.ts'
import { baseOf } from '#core/market/pair.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { reasonOfTrade } from '#core/strategy/trade-reason.ts'
import { Refusal } from '#core/refusal.ts'
import { inEnglish } from '#core/sentences.ts'
import { amountOf } from '#core/trading/allocation.ts'
import type { Queries } from '#server/db/statement.ts'
import { streamTrades, tradeId, type BotsTrade } from '#server/holdings/derived-trades.ts'
import { isExported } from './history-csv.ts'
import { findBotNames } from './store.ts'

const HEAD =
  'market time,recorded,bot,pair,side,quantity,coin,price,amount,currency,fee,fee currency,' +
  'cost basis,realized result,reference,reason'

type CsvRequest = ExportQuery & { style: CsvStyle }

/**
 * Trades of one or all of the user's bots, of one period or all times, as CSV, oldest first.
 * Refuses an unknown bot and another user's.
 */
export async function tradesCsv(
  sql: Queries,
  { userId, ...wanted }: CsvRequest & { userId: string },
): Promise<AsyncGenerator<string>> {
  const { bot } = wanted
  if (bot === undefined) return linesOf(sql, { userId }, wanted)
  const names = await findBotNames(sql, { userId, ids: [bot] })
  if (!names.has(bot)) throw new Refusal('not-found')
  return linesOf(sql, { userId, botId: bot }, wanted)
}

/**
 * Reads from the first trade on, because the realized result of a sale depends on all trades before
 * it.
 */
async function* linesOf(
  sql: Queries,
  owner: { userId: string; botId?: string },
  wanted: CsvRequest,
): AsyncGenerator<string> {
  const names = new Map<string, string>()
  const { style } = wanted
  yield style.mark + csvLine(HEAD.split(','), style)
  for await (const all of streamTrades(sql, owner)) {
    const trades = all.filter(({ botId, change: { createdAt } }) =>
      isExported({ botId, createdAt }, wanted),
    )
    const ids = trades.flatMap(({ botId }) => (names.has(botId) ? [] : [botId]))
    for (const [id, name] of await findBotNames(sql, { userId: owner.userId, ids }))
      names.set(id, csvCell(name))
    yield trades.map((trade) => line(trade, names.get(trade.botId) ?? '', style)).join('')
  }
}

/**
 * A line of the file. Money is in dollars, although the pair's quote is USDT. The cost basis of a
 * purchase is the price paid, that of a sale the average cost of the coins sold.
 */
function line(trade: BotsTrade, bot: string, style: CsvStyle): string {
  const { change, side, share, cost, profit } = trade
  const units = (amount: bigint) => csvNumber(unitsToDecimal(amount, 8), style)
  const cells = [
    change.marketTime.toISOString(),
    change.createdAt.toISOString(),
    bot,
    change.pair,
    side,
    units(share.quantity),
    baseOf(change.pair),
    units(change.price),
    units(amountOf({ share, side })),
    'USD',
    units(share.fee),
    'USD',
    units(cost),
    profit === null ? '' : units(profit),
    tradeId(trade),
    csvCell(inEnglish(reasonOfTrade(change, side))),
  ]
  return csvLine(cells, style)
}
