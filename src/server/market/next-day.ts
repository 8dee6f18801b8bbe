import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ForecastScores, type NextDay } from '#contract/forecasts.ts'
import {
  botDay,
  chanceOfBotFall,
  chanceOfBotRise,
  lastPaths,
  rangeOfBot,
  type BotDay,
  type HeldCoin,
} from '#core/forecast/bot-day.ts'
import { expectedFall, isForecaster, type Frequency } from '#core/forecast/expected-fall.ts'
import { swingAfter } from '#core/forecast/model.ts'
import type { RangeModel } from '#core/forecast/walk-forward.ts'
import { countBefore, type CandleSeries } from '#core/market/candle-series.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import { choiceOf, type StrategyKey } from '#core/strategy/strategy-key.ts'
import type { Context } from '#server/context.ts'
import type { Candles } from '#server/ports/market-view.ts'
import { newestModel, RANGE_MODELS } from './forecast-at.ts'

/** The scores of the models' forecasts, written by `npm run evidence`. */
export const RANGE_SCORES = join(dirname(RANGE_MODELS), 'range-24h-scores.json')

let scores: ForecastScores | undefined

/** The scores never change while the process runs, so they are read once. */
export function shippedScores(): ForecastScores {
  scores ??= ForecastScores.parse(JSON.parse(readFileSync(RANGE_SCORES, 'utf8')))
  return scores
}

/** `shares`: each pair's share of the bot's worth, as a fraction. */
type HeldBot = { strategy: StrategyKey; shares: readonly (readonly [Pair, number])[] }
type BotNow = HeldBot & { at: Date }

/**
 * Null without coins, with too few candles of one of them, and if the past ranges of this kind of
 * bot held too rarely or too often.
 */
export function nextDayOf(candles: Candles, { at, ...bot }: BotNow): NextDay | null {
  const day = dayOf(candles, { ...bot, atMs: floorHour(at.getTime()) })
  return day ? { ...shown(day), rests: newestModel(candles).resting !== undefined } : null
}

/**
 * The frequency of a fall of `fraction` or more within the day, by the forecast of the midnight
 * `atMs`. Undefined on made-up prices, while the model rests, and if the model was trained later,
 * because it would have learned from the fall.
 */
export function expectedFallAt(
  { feed, candles }: Pick<Context, 'feed' | 'candles'>,
  { fraction, ...bot }: HeldBot & { atMs: number; fraction: number },
): Frequency | undefined {
  if (feed.kind === 'simulated' || !isForecaster(newestModel(candles), bot.atMs)) return undefined
  const day = dayOf(candles, bot)
  return day && expectedFall(day, fraction)
}

function dayOf(
  candles: Candles,
  { strategy, shares, atMs }: HeldBot & { atMs: number },
): BotDay | undefined {
  const held = shares.filter(([, share]) => share > 0)
  if (held.length === 0 || !isCalibrated(strategy)) return undefined
  const model = newestModel(candles)
  const coins: HeldCoin[] = []
  for (const [pair, share] of held) {
    const coin = coinAt(candles.until(pair, atMs), { atMs, model })
    if (!coin) return undefined
    coins.push({ ...coin, share })
  }
  return botDay(coins, atMs)
}

/** Least and most percent of days on which an 80 % range may hold to count as calibrated. */
const LEAST_HELD = 75
const MOST_HELD = 85

function isCalibrated(key: StrategyKey): boolean {
  const { strategy } = choiceOf(key)
  return shippedScores().bots.some(
    ({ strategy: scored, percent80 }) =>
      choiceOf(scored).strategy === strategy &&
      Number(percent80) >= LEAST_HELD &&
      Number(percent80) <= MOST_HELD,
  )
}

type Coin = Omit<HeldCoin, 'share'>
type At = { atMs: number; model: RangeModel }
const kept = new WeakMap<CandleSeries, At & { coin: Coin | undefined }>()

/** Cached for an hour, because the swing changes each hour. Paths change only at midnight. */
function coinAt(series: CandleSeries, { atMs, model }: At): Coin | undefined {
  const last = kept.get(series)
  const before = last?.model === model ? last : undefined
  if (before?.atMs === atMs) return before.coin
  const known = { series, count: countBefore(series, atMs) }
  const swing = swingAfter(model, known)
  const isSameDay = before?.coin && Math.floor(before.atMs / DAY_MS) === Math.floor(atMs / DAY_MS)
  const paths = isSameDay && before.coin ? before.coin.paths : lastPaths(model, known)
  const coin = swing === undefined ? undefined : { swing, paths }
  kept.set(series, { atMs, model, coin })
  return coin
}

function shown(day: BotDay): Omit<NextDay, 'rests'> {
  const { low, high } = rangeOfBot(day)
  return {
    low: (100 * low).toFixed(2),
    high: (100 * high).toFixed(2),
    falls: chances((fraction) => chanceOfBotFall(day, fraction)),
    rises: chances((fraction) => chanceOfBotRise(day, fraction)),
  }
}

/** The chances of 1 %, 2 % and so on, in whole percent, until one is 0. Halves are rounded up. */
function chances(chanceOf: (fraction: number) => number): number[] {
  const list: number[] = []
  for (let percent = 1; percent < 100; percent += 1) {
    const chance = Math.floor(100 * chanceOf(percent / 100) + 0.5)
    if (chance === 0) break
    list.push(chance)
  }
  return list
}
