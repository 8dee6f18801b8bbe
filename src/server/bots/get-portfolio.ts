import type { Portfolio } from '#contract/market.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Handler } from '#server/action.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { readBalances, showBalances, type Balances } from '#server/holdings/balances.ts'
import { findHeldSleeves, showHoldings } from '#server/holdings/held.ts'
import { findChangesUntil } from '#server/holdings/stays.ts'
import { readMarketTime } from '#server/market/clock.ts'
import { showBot } from './show-bot.ts'
import { findBots, sumNetDeposits, type StoredBot } from './store.ts'

/**
 * Everything the user owns, read at one moment, because a deposit between two reads would look like
 * a gain.
 */
export const getPortfolio: Handler<'getPortfolio'> = async ({ sql, market }, { userId }) =>
  atOneMoment(sql, async (tx) => {
    const [marketTime, balances, netDeposits, bots, sleeves] = await Promise.all([
      readMarketTime(tx),
      readBalances(tx, userId),
      sumNetDeposits(tx, userId),
      findBots(tx, userId),
      findHeldSleeves(tx, { userId }),
    ])
    return {
      at: (marketTime ?? market.now()).toISOString(),
      ...showBalances(balances),
      netDeposits: unitsToDecimal(netDeposits, 2),
      bots: bots.map(showBot),
      ...showHoldings(bots, sleeves),
      firstStep: await readFirstStep(tx, { userId, balances, bots }),
    }
  })

type Standing = { userId: string; balances: Balances; bots: readonly StoredBot[] }

/** The next step of a user without a trade; null for all others. */
async function readFirstStep(
  sql: Queries,
  { userId, balances, bots }: Standing,
): Promise<Portfolio['firstStep']> {
  if (bots.some(({ positions }) => positions?.some(({ holds }) => holds))) return null
  const trades = await findChangesUntil(sql, { userId }, { until: undefined, limit: 1 })
  if (trades.length > 0) return null
  if (bots.length > 0) return 'watch'
  return balances.cash > 0n ? 'bot' : 'deposit'
}
