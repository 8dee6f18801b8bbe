import type { BotPerformance, Holding } from '#contract/bots.ts'
import { timeGrid, valueCurve, type Flow } from '#core/bots/value-curve.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOfFraction } from '#core/money/percent.ts'
import { valueFloor } from '#core/money/rounding.ts'
import { Refusal } from '#core/refusal.ts'
import { buyAndHold } from '#core/strategy/backtest.ts'
import { maxDrawdown, sharpe } from '#core/strategy/metrics.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { Context } from '#server/context.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Handler } from '#server/http/handler.ts'
import { showRatio, showCurve } from './show-backtest.ts'
import { showBot } from './show-bot.ts'
import { findBot, findFlows, findHoldings, type StoredBot, type StoredFlow, type StoredHolding } from './store.ts'

const POINTS = 300
const DAY_MS = 24 * HOUR_MS

/**
 * The bot's curve from its own trades, beside holding the same coins; nothing in it is stored, so nothing in it can drift. All of it is
 * read at one moment: its worth and what it holds are at the same prices.
 */
export const getBotPerformance: Handler<'getBotPerformance'> = async (context, { userId, params: { id } }) => {
  const [bot, holdings, flows] = await atOneMoment(context.sql, (tx) =>
    Promise.all([findBot(tx, { userId, id }), findHoldings(tx, { userId, id }), findFlows(tx, { userId, id })]),
  )
  if (!bot) throw new Refusal('not-found')
  return { bot: showBot(bot), holdings: holdings.map(showHolding), ...curvesOf(context, bot, flows), ...feesOf(flows), tradeCount: flows.length }
}

function curvesOf(context: Context, bot: StoredBot, trades: readonly StoredFlow[]): Pick<BotPerformance, 'equityCurve' | 'buyAndHoldCurve' | 'maxDrawdown' | 'sharpe'> {
  const { candles, market, costs } = context
  const fromMs = bot.marketStart.getTime()
  const toMs = Math.max(fromMs, market.now().getTime())
  const closedMs = Math.floor(toMs / HOUR_MS) * HOUR_MS
  const flows: Flow[] = [{ timeMs: fromMs, cash: bot.invested }, ...trades.map(flowOf)]
  const value = (timesMs: number[]) => valueCurve({ flows, timesMs, seriesOf: (pair) => candles.until(pair, closedMs) })
  const days = Math.floor((toMs - fromMs) / DAY_MS)
  const daily = value(Array.from({ length: days + 1 }, (_, day) => fromMs + day * DAY_MS))
  const now = { timeMs: toMs, equity: bot.equity }
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

export function flowOf({ marketTime, pair, side, quantity, total, platformFee }: StoredFlow): Flow {
  const timeMs = marketTime.getTime()
  return side === 'buy' ? { timeMs, pair, cash: -total, base: quantity } : { timeMs, pair, cash: total - platformFee, base: -quantity }
}

function feesOf(flows: readonly StoredFlow[]): Pick<BotPerformance, 'venueFees' | 'platformFees'> {
  return {
    venueFees: unitsToDecimal(flows.reduce((sum, { fee }) => sum + fee, 0n), 2),
    platformFees: unitsToDecimal(flows.reduce((sum, { platformFee }) => sum + platformFee, 0n), 2),
  }
}

function showHolding({ pair, cash, base, price, exposureBps, reason }: StoredHolding): Holding {
  return {
    pair,
    cash: unitsToDecimal(cash, 2),
    quantity: unitsToDecimal(base, 8),
    value: unitsToDecimal(valueFloor({ quantity: base, price: price ?? 0n }), 2),
    wantedPercent: percentOfFraction((exposureBps ?? 0) / 10_000),
    reason: reason ?? 'Waiting for the market.',
  }
}
