import type { Portfolio } from '#contract/market.ts'
import { holdsCoins } from '#core/bots/bot-worth.ts'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { botAt, heldBy, newestPools, pricedPools, timeOfPrices, type MarketNow } from './bot-at.ts'

/**
 * The portfolio as the server would give it at these prices: worth is computed from the holdings,
 * balances from worth. An answer newer than the prices is unchanged.
 */
export function portfolioAt(portfolio: Portfolio, market: MarketNow): Portfolio {
  const { availableBalance, heldBalance, botHoldings } = portfolio
  const at = timeOfPrices(market.prices)
  if (at === undefined || at < portfolio.at) return portfolio
  const held = newestPools(portfolio.pools, market.states)
  const pools = pricedPools(held, market.prices)
  const bots = portfolio.bots.map((bot) => botAt(bot, { holdings: botHoldings[bot.id], pools }))
  const investedBalance = sumOf(...bots.map(({ equity }) => equity))
  return {
    ...portfolio,
    at,
    totalBalance: sumOf(availableBalance, heldBalance, investedBalance),
    investedBalance,
    bots,
    pools: held,
    firstStep: Object.values(botHoldings).some((holdings) => holdsCoins(heldBy(holdings), pools))
      ? null
      : portfolio.firstStep,
  }
}
