import type { Sentence } from '#core/sentences.ts'
import type { BacktestResult as ShownBacktest } from '#contract/backtest.ts'
import { steadyCashCurve } from '#core/bots/cash-curve.ts'
import type { Guards } from '#core/guards/guard.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf, percentOfFraction } from '#core/money/percent.ts'
import type { BacktestInput, BacktestResult } from '#core/strategy/backtest.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { reasonOfTrade } from '#core/strategy/trade-reason.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { msg, say } from '#words/words.ts'
import type { Config } from '#server/settings/config.ts'
import type { Candles, MarketView } from '#server/ports/market-view.ts'
import type { ComparedBacktest, Compute, JobOwner } from '#server/ports/compute.ts'
import type { Feed } from '#server/ports/feed.ts'

const MOST_TRADES = 100

export const DISCLAIMER = msg(
  'Hypothetical: the same rules over past prices, all costs included. ' +
    'Hypothetical results have limits, no money was traded, and past performance ' +
    'does not predict the future. You can lose money.',
)

export type ReplayedMarket = {
  config: Pick<Config, 'CASH_YIELD_BPS'>
  candles: Candles
  market: MarketView
  feed: Feed
  costs: TradingCosts
  compute: Compute
}

export type BacktestOrder = {
  strategy: StrategyKey
  feeBps: number
  pairs: readonly Pair[]
  invested: Units
  days: number
  guards?: Guards | undefined
}

export type Replay = { input: BacktestInput; feedLabel: Sentence } & ComparedBacktest

/** Replays the bot's rules over the last days of closed candles, beside holding the same coins. */
export async function replayRules(
  { config, candles, market, feed, costs, compute }: ReplayedMarket,
  { strategy, feeBps, pairs, invested, days, guards }: BacktestOrder,
  owner: JobOwner,
): Promise<Replay> {
  const toMs = floorHour(market.now().getTime())
  const input: BacktestInput = {
    strategy,
    invested,
    markets: pairs.map((pair) => ({ pair, series: candles.until(pair, toMs) })),
    fromMs: toMs - days * DAY_MS,
    toMs,
    costs,
    feeBps,
    yieldBps: config.CASH_YIELD_BPS,
    curvePoints: 200,
    guards,
  }
  return {
    input,
    feedLabel: feed.label,
    ...(await compute.run('backtest', { ...input, mostTrades: MOST_TRADES }, owner)),
  }
}

export function showReplay({
  input: { invested, fromMs, toMs, yieldBps = 0 },
  result,
  tradeCount,
  held,
  feedLabel,
}: Replay): ShownBacktest {
  return {
    hypothetical: true,
    disclaimer: say(DISCLAIMER),
    feedLabel: sentenceText(feedLabel),
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    invested: unitsToDecimal(invested, 2),
    ...replayFigures({ invested, result, held, tradeCount }),
    trades: result.trades.toReversed().map(showTrade),
    equityCurve: showCurve(result.curve),
    buyAndHoldCurve: showCurve(held.curve),
    cashCurve:
      yieldBps === 0
        ? []
        : showCurve(
            steadyCashCurve({
              invested,
              rateBps: yieldBps,
              fromMs,
              timesMs: result.curve.map(({ timeMs }) => timeMs),
            }),
          ),
    cashYield: percentOfFraction(yieldBps / 10_000),
  }
}

export function replayFigures({
  invested,
  result,
  held,
  tradeCount,
}: { invested: Units } & ComparedBacktest) {
  return {
    netResult: unitsToDecimal(result.netResult, 2),
    returnPercent: percentOf({ part: result.netResult, whole: invested }),
    venueFees: unitsToDecimal(result.venueFees, 2),
    platformFees: unitsToDecimal(result.platformFees, 2),
    maxDrawdown: percentOfFraction(result.maxDrawdown),
    sharpe: showRatio(result.sharpe),
    buyAndHoldResult: unitsToDecimal(held.netResult, 2),
    tradeCount,
  }
}

function showTrade({
  timeMs,
  pair,
  side,
  quantity,
  price,
  notional,
  fee,
  profit,
  reason,
}: BacktestResult['trades'][number]) {
  return {
    tradingPair: pair,
    side,
    quantity: unitsToDecimal(quantity, 8),
    price: unitsToDecimal(price, 8),
    amount: unitsToDecimal(notional, 2),
    venueFee: unitsToDecimal(fee, 8),
    profit: side === 'sell' ? unitsToDecimal(profit, 8) : null,
    reason: sentenceText(reasonOfTrade({ reason, pair }, side)),
    marketTime: new Date(timeMs).toISOString(),
  }
}

export function showCurve(curve: readonly EquityPoint[]): { at: string; value: string }[] {
  return curve.map(({ timeMs, equity }) => ({
    at: new Date(timeMs).toISOString(),
    value: unitsToDecimal(equity, 2),
  }))
}

/** A ratio with 2 decimals; null if it is undefined. */
export function showRatio(ratio: number | undefined): string | null {
  return ratio === undefined ? null : percentOfFraction(ratio / 100)
}
