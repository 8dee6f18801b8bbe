import {
  botDay,
  chanceOfBotFall,
  PAST_DAYS,
  rangeOfBot,
  standardPaths,
  type HeldCoin,
} from '#core/forecast/bot-day.ts'
import { swingOf } from '#core/forecast/model.ts'
import { AHEAD, type ForecastMarket, type ForecastRow } from '#core/forecast/rows.ts'
import { holds, type SaidAndHappened } from '#core/forecast/score.ts'
import type { RangeForecast, RangeModel } from '#core/forecast/walk-forward.ts'
import { groupBy } from '#core/group-by.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { ONE } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { decideMarket } from '#core/strategy/sleeve.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { closesByHour, openPath, pathUntil, type WindowPath } from './window-path.ts'

/** Falls whose chances are scored, as fractions. */
export const BOT_FALLS = [0.01, 0.02, 0.03, 0.05, 0.08] as const

const INVESTED = decimalToUnits('10000')

/**
 * `days`: midnights at which the bot held coins. `held80`: days on which the worth stayed in the 80
 * % range.
 */
export type BotScore = { days: number; held80: number; falls: readonly SaidAndHappened[] }

export type WalkedForward = {
  markets: readonly ForecastMarket[]
  rows: readonly ForecastRow[]
  models: readonly RangeModel[]
  forecasts: readonly RangeForecast[]
  fromMs: number
}

const NO_PATHS: HeldCoin['paths'] = new Map()

type Said = { coins: HeldCoin[]; atMs: number; path: readonly number[] }

/**
 * Runs one bot over all recorded prices. At each midnight its range is forecast from the coins it
 * holds, and compared with its worth a day later, after trades and their costs.
 */
export function scoreBot(
  walked: WalkedForward,
  bot: { strategy: StrategyKey; costs: TradingCosts },
): BotScore {
  const score = { days: 0, held80: 0, falls: [] as SaidAndHappened[] }
  for (const { coins, atMs, path } of daysOfBot(walked, bot)) {
    const day = coins.length > 0 ? botDay(coins, atMs) : undefined
    if (!day) continue
    score.days += 1
    if (holds(rangeOfBot(day), path.at(-1) ?? 0)) score.held80 += 1
    const lowest = Math.min(...path)
    for (const fall of BOT_FALLS)
      score.falls.push({ chance: chanceOfBotFall(day, fall), came: lowest <= -fall })
  }
  return score
}

function* daysOfBot(
  { markets, rows, models, forecasts, fromMs }: WalkedForward,
  { strategy, costs }: { strategy: StrategyKey; costs: TradingCosts },
): Generator<Said> {
  const lastMs = rows.at(-1)?.timeMs ?? fromMs
  const bot = follow(markets, { strategy, costs, fromMs, toMs: lastMs + DAY_MS })
  const known = groupBy(forecasts, ({ row }) => row.timeMs)
  const ofPair = groupBy(rows, ({ pair }) => pair)
  for (const [index, model] of models.entries()) {
    const endMs = models[index + 1]?.trainedUntilMs ?? lastMs + 1
    const readMs = model.trainedUntilMs - PAST_DAYS * DAY_MS
    const paths = markets.map(({ pair }) =>
      standardPaths(
        model,
        (ofPair.get(pair) ?? []).filter(({ timeMs }) => timeMs >= readMs && timeMs < endMs),
      ),
    )
    for (let atMs = Math.max(fromMs, model.trainedUntilMs); atMs < endMs; atMs += DAY_MS) {
      const now = known.get(atMs) ?? []
      if (now.length < markets.length) continue
      const coins = now.map(({ variance }, which) => ({
        share: shareOf(bot, { which, atMs }),
        swing: swingOf(variance),
        paths: paths[which] ?? NO_PATHS,
      }))
      yield { coins: coins.filter(({ share }) => share > 0), atMs, path: pathOf(bot, atMs) }
    }
  }
}

function follow(
  markets: readonly ForecastMarket[],
  {
    strategy,
    costs,
    ...window
  }: {
    strategy: StrategyKey
    costs: TradingCosts
    fromMs: number
    toMs: number
  },
): WindowPath {
  const path = openPath(
    {
      markets: markets.map((market) => decideMarket({ ...market, strategy, costs })),
      closes: markets.map(({ series }) => closesByHour(series, window)),
      window,
      invested: INVESTED,
      costs,
      feeBps: 0,
    },
    window.fromMs,
  )
  return pathUntil(path, window.toMs)
}

function shareOf(
  { legs, closes, worth, fromMs }: WindowPath,
  { which, atMs }: { which: number; atMs: number },
): number {
  const hour = (atMs - fromMs) / HOUR_MS
  const base = legs[which]?.findLast((leg) => leg.fromMs < atMs)?.position.base ?? 0n
  const price = closes[which]?.closes[hour] ?? 0
  return ((Number(base) / Number(ONE)) * price) / (worth[hour] ?? 1)
}

function pathOf({ worth, fromMs }: WindowPath, atMs: number): number[] {
  const hour = (atMs - fromMs) / HOUR_MS
  const now = worth[hour] ?? 1
  return [...worth.subarray(hour + 1, hour + 1 + AHEAD)].map((later) => later / now - 1)
}
