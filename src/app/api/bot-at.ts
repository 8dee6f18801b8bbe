import type { Bot, BotPerformance, Holding } from '#contract/bots.ts'
import type { BotHoldings, HeldPools } from '#contract/holdings.ts'
import {
  coinsOfBot,
  figuresOfBot,
  figuresOfHolding,
  holdsCoins,
  worthOfBot,
  type PricedPool,
} from '#core/bots/bot-worth.ts'
import { holdWorth } from '#core/bots/hold-worth.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { grownCurve } from './grown-curve.ts'
import {
  heldBy,
  newestPools,
  pricedPools,
  priceOf,
  timeOfPrices,
  type MarketNow,
} from './priced-pools.ts'

/** A bot's figures at the prices of its pools. It waits no longer once one of them holds coins. */
export function botAt(
  bot: Bot,
  {
    holdings,
    pools,
  }: { holdings: BotHoldings | undefined; pools: ReadonlyMap<number, PricedPool> },
): Bot {
  if (holdings === undefined) return bot
  const held = heldBy(holdings)
  const worth = worthOfBot(held, pools)
  return {
    ...bot,
    waiting: holdsCoins(held, pools) ? null : bot.waiting,
    ...figuresOfBot({
      worth,
      coins: coinsOfBot(held, pools),
      invested: decimalToUnits(holdings.invested),
      feeBps: bot.feeBps,
    }),
  }
}

/** As many as the server's curve has. */
const POINTS = 300

/**
 * The answer about a bot as the server would give it at these prices, but for what only a closed
 * hour or a trade changes: both are refetched. An answer that is newer than the prices stays as it
 * is.
 */
export function performanceAt(performance: BotPerformance, market: MarketNow): BotPerformance {
  const at = timeOfPrices(market.prices)
  if (at === undefined || at < (performance.equityCurve.at(-1)?.at ?? '')) return performance
  const { botHoldings, heldInstead, equityCurve, buyAndHoldCurve } = performance
  const held = newestPools(performance.pools, market.states)
  const pools = pricedPools(held, market.prices)
  const bot = botAt(performance.bot, { holdings: botHoldings, pools })
  const coins = new Map(
    Object.entries(heldInstead.coins).map(([pair, quantity]) => [
      pair as Pair,
      decimalToUnits(quantity),
    ]),
  )
  const instead = holdWorth({ cash: decimalToUnits(heldInstead.cash), coins }, (pair) =>
    priceOf(market.prices, pair),
  )
  return {
    ...performance,
    bot,
    pools: held,
    holdings: performance.holdings.map((holding) =>
      holdingAt(holding, { botHoldings, held, pools }),
    ),
    equityCurve: grownCurve(equityCurve, { at, value: bot.equity }, POINTS),
    buyAndHoldCurve: grownCurve(buyAndHoldCurve, { at, value: unitsToDecimal(instead, 2) }, POINTS),
  }
}

type InPools = { botHoldings: BotHoldings; held: HeldPools; pools: ReadonlyMap<number, PricedPool> }

function holdingAt(holding: Holding, { botHoldings, held, pools }: InPools): Holding {
  const sleeves = heldBy(botHoldings).sleeves.filter(
    ({ pool }) => held[pool]?.pair === holding.pair,
  )
  return {
    ...holding,
    ...figuresOfHolding({ cash: decimalToUnits(holding.ownCash), sleeves }, pools),
  }
}
