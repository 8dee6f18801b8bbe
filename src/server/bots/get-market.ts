import { BPS_PER_PERCENT } from '#core/money/percent.ts'
import type { BotOnMarket, LevelNow, Market } from '#contract/market.ts'
import { groupCandles } from '#core/market/candle-groups.ts'
import { DAY_MS, floorHour, HOUR_MS, YEAR_MS, type Candle } from '#core/market/candle.ts'
import { pairOfMarketId, type Pair } from '#core/market/pair.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { sentenceText } from '#words/sentence-text.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { findExposures, readMarketTime } from '#server/market/clock.ts'
import { forecastAt } from '#server/market/forecast-at.ts'
import { readMarketTrades } from '#server/transactions/market-trades.ts'
import { stepOfPosition } from './show-bot.ts'
import { findBots, type StoredBot } from './store.ts'

type Step = { backMs: number; candleHours: number }

/**
 * Each range's length, and the length of its candles. A range has about 120 candles at most, each
 * three pixels wide.
 */
const STEPS: Record<Market['range'], Step> = {
  '1D': { backMs: DAY_MS, candleHours: 1 },
  '1W': { backMs: 7 * DAY_MS, candleHours: 2 },
  '1M': { backMs: 30 * DAY_MS, candleHours: 8 },
  '1Y': { backMs: YEAR_MS, candleHours: 3 * 24 },
  All: { backMs: Number.POSITIVE_INFINITY, candleHours: 7 * 24 },
}

/** The engine decides in whole percents. */

/** A pair's candles, each risk level's present target, and the user's own bots and their trades. */
export const getMarket: Handler<'getMarket'> = async (
  context,
  { userId, params: { id }, query: { range } },
) => {
  const pair = pairOfMarketId(id)
  if (pair === undefined || !context.feed.pairs.includes(pair)) throw new Refusal('not-found')
  const { now, levels, bots, trades } = await atOneMoment(context.sql, async (tx) => ({
    now: await readMarketTime(tx),
    levels: await readLevels(tx, pair),
    bots: botsOn(pair, await findBots(tx, userId)),
    trades: await readMarketTrades(tx, { userId, pair }),
  }))
  const closedMs = floorHour((now ?? context.market.now()).getTime())
  const { candleHours } = STEPS[range]
  const candles = candlesOf(context, { pair, closedMs, step: STEPS[range] })
  return {
    pair,
    range,
    candleHours,
    candles: candles.map(showCandle),
    closedUntil: new Date(closedMs).toISOString(),
    levels,
    forecast: forecastAt(context.candles, { pair, atMs: closedMs }),
    bots,
    trades,
  }
}

function candlesOf(
  { candles }: Context,
  { pair, closedMs, step }: { pair: Pair; closedMs: number; step: Step },
): Candle[] {
  const series = candles.until(pair, closedMs)
  return groupCandles(series, {
    fromMs: Math.max(0, closedMs - step.backMs),
    toMs: closedMs,
    groupMs: step.candleHours * HOUR_MS,
  })
}

function showCandle({ openTimeMs, open, high, low, close }: Candle): Market['candles'][number] {
  const price = (units: bigint) => unitsToDecimal(units, 8)
  return {
    at: new Date(openTimeMs).toISOString(),
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
  }
}

/** Targets of bots that follow trends, lowest risk first. Targets of other bots never change. */
async function readLevels(tx: Queries, pair: Pair): Promise<LevelNow[]> {
  const found = await findExposures(tx, pair)
  const levels = RISK_LEVELS.flatMap((riskLevel) =>
    found
      .filter(({ strategy }) => strategy === `trend-${riskLevel}`)
      .map((row) => ({ riskLevel, ...row })),
  )
  return levels.map(({ riskLevel, exposureBps, reason, marketTime }) => ({
    riskLevel,
    wantedPercent: exposureBps / BPS_PER_PERCENT,
    reason: sentenceText(reason),
    decidedAt: marketTime.toISOString(),
  }))
}

function botsOn(pair: Pair, bots: readonly StoredBot[]): BotOnMarket[] {
  return bots
    .filter(({ status, isChanging }) => status === 'active' && !isChanging)
    .flatMap(({ id: botId, name: botName, strategy, positions }) => {
      const position = positions?.find((each) => each.pair === pair)
      const next = position && stepOfPosition(position, strategy)
      if (!next || position.exposureBps === null) return []
      return [{ botId, botName, wantedPercent: position.exposureBps / BPS_PER_PERCENT, next }]
    })
}
