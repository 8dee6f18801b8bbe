import type { MarketTrade } from '#contract/market.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Queries } from '#server/db/statement.ts'
import { readTradesBefore, tradeId, type HistoryTrade } from '#server/holdings/derived-trades.ts'
import { showFigures } from './show-history.ts'
import { findBotNames } from './store.ts'

const MOST_TRADES = 200

/** The trades of the user's bots on the pair, newest first. */
export async function readMarketTrades(
  tx: Queries,
  { userId, pair }: { userId: string; pair: Pair },
): Promise<MarketTrade[]> {
  const trades = await readTradesBefore(tx, {
    owner: { userId, pair },
    period: {},
    isWanted: () => true,
    before: undefined,
    limit: MOST_TRADES,
  })
  const names = await findBotNames(tx, { userId, ids: trades.map(({ botId }) => botId) })
  return trades.map((trade) => showTrade(trade, names.get(trade.botId) ?? ''))
}

function showTrade(trade: HistoryTrade, botName: string): MarketTrade {
  const { profit: _none, ...figures } = showFigures({ ...trade, profit: null })
  return { id: tradeId(trade), botId: trade.botId, botName, ...figures }
}
