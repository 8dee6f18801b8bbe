import type { Bot, BotPerformance, Holding } from '#contract/bots.ts'
import type { BotHoldings, HeldPools, PoolStates } from '#contract/holdings.ts'
import type { Prices } from '#contract/market.ts'
import {
  coinsOfBot,
  figuresOfBot,
  figuresOfHolding,
  worthOfBot,
  type BotHoldings as Held,
  type PricedPool,
} from '#core/bots/bot-worth.ts'
import { CURVE_POINTS, grownCurve } from '#core/bots/growing-curve.ts'
import { holdWorth } from '#core/bots/hold-worth.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { EMPTY_POOL } from '#core/pool/pool.ts'

export function botAt(
  bot: Bot,
  {
    holdings,
    pools,
  }: { holdings: BotHoldings | undefined; pools: ReadonlyMap<number, PricedPool> },
): Bot {
  if (holdings === undefined) return bot
  const held = heldBy(holdings)
  const figures = figuresOfBot({
    worth: worthOfBot(held, pools),
    coins: coinsOfBot(held, pools),
    invested: decimalToUnits(holdings.invested),
    feeBps: bot.feeBps,
  })
  // The sentence about a trade may arrive up to a minute after the trade, so an old sentence is
  // dropped.
  const isSaid = isInCash(bot) === isInCash(figures)
  return { ...bot, ...figures, doing: isSaid ? bot.doing : null }
}

const isInCash = ({ coins }: Pick<Bot, 'coins'>) => coins === '0.00'

/**
 * The answer about a bot as the server would give it at these prices, except for figures that only
 * a closed hour or a trade changes: those are refetched. An answer newer than the prices is
 * unchanged.
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
    months: monthsAt(performance, bot),
    equityCurve: grownCurve(equityCurve, { at, value: bot.equity }, CURVE_POINTS),
    buyAndHoldCurve: grownCurve(
      buyAndHoldCurve,
      { at, value: unitsToDecimal(instead, 2) },
      CURVE_POINTS,
    ),
  }
}

/** The present month ends with the bot's worth. */
function monthsAt({ months, bot: before }: BotPerformance, { equity }: Bot) {
  return months.map((month, index) => {
    if (index < months.length - 1) return month
    const grown = decimalToUnits(equity) - decimalToUnits(before.equity)
    return { ...month, result: unitsToDecimal(decimalToUnits(month.result) + grown, 8) }
  })
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

export type MarketNow = { prices: Prices; states: PoolStates }

export function timeOfPrices(prices: Prices): string | undefined {
  return Object.values(prices)
    .map(({ at }) => at)
    .toSorted()
    .at(-1)
}

function priceOf(prices: Prices, pair: Pair): Units {
  return decimalToUnits(prices[baseOf(pair)]?.price ?? '0')
}

/** The pools of an answer, in the newest known states. */
export function newestPools(pools: HeldPools, states: PoolStates): HeldPools {
  return Object.fromEntries(
    Object.entries(pools).map(([id, held]) => {
      const state = states[id]
      return [id, state && state.number > held.number ? { ...held, ...state } : held]
    }),
  )
}

export function pricedPools(pools: HeldPools, prices: Prices): Map<number, PricedPool> {
  return new Map(
    Object.entries(pools).map(([id, { cash, base, units, pair }]) => [
      Number(id),
      {
        ...EMPTY_POOL,
        cash: decimalToUnits(cash),
        base: decimalToUnits(base),
        units: BigInt(units),
        price: priceOf(prices, pair),
      },
    ]),
  )
}

export function heldBy({ cash, sleeves }: BotHoldings): Held {
  const own = Object.entries(sleeves).map(([id, { units, base = '0' }]) => ({
    pool: Number(id),
    units: BigInt(units),
    base: decimalToUnits(base),
  }))
  return { cash: decimalToUnits(cash), sleeves: own }
}
