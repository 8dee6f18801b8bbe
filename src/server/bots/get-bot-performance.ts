import type { BotPerformance, Holding } from '#contract/bots.ts'
import { timeGrid, valueCurve } from '#core/bots/value-curve.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOfFraction } from '#core/money/percent.ts'
import { valueFloor } from '#core/money/rounding.ts'
import { claimOf, worthOf } from '#core/pool/pool.ts'
import { Refusal } from '#core/refusal.ts'
import { buyAndHold } from '#core/strategy/backtest.ts'
import { maxDrawdown, sharpe } from '#core/strategy/metrics.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import { splitInvestment } from '#core/trading/position.ts'
import type { Context } from '#server/context.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Handler } from '#server/http/handler.ts'
import { flowsOfBots, pastOfPools } from './bot-flows.ts'
import { readLives, tradesOfLives, type Lives } from './derived-trades.ts'
import { showRatio, showCurve } from './show-backtest.ts'
import { closingNow, showBot } from './show-bot.ts'
import { findBot, findBotMoney, findHoldings, sumPlatformFees, type BotMoney, type StoredBot, type StoredHolding } from './store.ts'

const POINTS = 300
const DAY_MS = 24 * HOUR_MS

/**
 * The bot's curve from what it held, beside holding the same coins; nothing in it is stored, so nothing in it can drift. All of it is read at
 * one moment: its worth and what it holds are at the same prices.
 */
export const getBotPerformance: Handler<'getBotPerformance'> = async (context, { userId, params: { id } }) => {
  const [bot, holdings, lives, money, platformFees] = await atOneMoment(context.sql, (tx) =>
    Promise.all([
      findBot(tx, { userId, id }),
      findHoldings(tx, { userId, id }),
      readLives(tx, { userId, botId: id }),
      findBotMoney(tx, { userId, botId: id }),
      sumPlatformFees(tx, { userId, id }),
    ]),
  )
  if (!bot) throw new Refusal('not-found')
  const trades = tradesOfLives(lives)
  const venueFees = trades.reduce((sum, { share }) => sum + share.fee, 0n)
  return {
    bot: showBot(bot),
    holdings: holdings.map((holding) => showHolding(holding, pendingOf(bot, holding))),
    ...curvesOf(context, { bot, lives, money }),
    venueFees: unitsToDecimal(venueFees, 2),
    platformFees: unitsToDecimal(platformFees, 2),
    tradeCount: trades.length,
  }
}

type Past = { bot: StoredBot; lives: Lives; money: readonly BotMoney[] }

function curvesOf(context: Context, { bot, lives, money }: Past): Pick<BotPerformance, 'equityCurve' | 'buyAndHoldCurve' | 'maxDrawdown' | 'sharpe'> {
  const { candles, market, costs } = context
  const fromMs = bot.marketStart.getTime()
  const toMs = Math.max(fromMs, market.now().getTime())
  const closedMs = Math.floor(toMs / HOUR_MS) * HOUR_MS
  const owned = { owners: flowsOfBots({ stays: lives.stays, marks: lives.changes, money }), pools: pastOfPools(lives.changes), feeBps: PERFORMANCE_FEE_BPS }
  const value = (timesMs: number[]) => valueCurve({ ...owned, timesMs, seriesOf: (pair) => candles.until(pair, closedMs) })
  const days = Math.floor((toMs - fromMs) / DAY_MS)
  const daily = value(Array.from({ length: days + 1 }, (_, day) => fromMs + day * DAY_MS))
  const now = { timeMs: toMs, equity: closingNow(bot).equity }
  const curve = [...value(timeGrid({ fromMs, toMs, points: POINTS })).slice(0, -1), now]
  const markets = bot.tradingPairs.map((pair) => ({ pair, series: candles.until(pair, closedMs) }))
  const hold = { riskLevel: bot.riskLevel, markets, invested: bot.invested, fromMs, toMs: closedMs, costs, feeBps: PERFORMANCE_FEE_BPS, curvePoints: POINTS }
  return {
    equityCurve: showCurve(curve),
    buyAndHoldCurve: closedMs > fromMs ? showCurve(buyAndHold(hold).curve) : [],
    maxDrawdown: percentOfFraction(maxDrawdown(curve)),
    sharpe: showRatio(sharpe(daily.map(({ equity }) => Number(equity)))),
  }
}

/** The sleeve's part of what its bot was given and no sleeve took yet, as the engine will split it. */
function pendingOf({ pending, tradingPairs }: StoredBot, { place }: StoredHolding): Units {
  return splitInvestment({ invested: pending, count: tradingPairs.length })[place - 1] ?? 0n
}

/** What the sleeve owns outside of its pool and its part of it: the cash of both, and all the rest of its worth. */
function showHolding({ pair, cash, base, units, pool, price, exposureBps, reason }: StoredHolding, pending: Units): Holding {
  const part = claimOf({ ...pool, appliedBps: 0 }, units)
  const inPool = worthOf({ ...pool, appliedBps: 0 }, { units, price: price ?? 0n })
  return {
    pair,
    cash: unitsToDecimal(cash + pending + part.cash, 2),
    quantity: unitsToDecimal(base + part.base, 8),
    value: unitsToDecimal(valueFloor({ quantity: base, price: price ?? 0n }) + inPool - part.cash, 2),
    wantedPercent: percentOfFraction((exposureBps ?? 0) / 10_000),
    reason: reason ?? 'Waiting for the market.',
  }
}
