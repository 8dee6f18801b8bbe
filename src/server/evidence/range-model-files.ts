import { createHash, type Hash } from 'node:crypto'
import { BOT_FALLS, scoreBot, type WalkedForward } from '#core/evidence/score-bot.ts'
import { quantileAt, STEPS } from '#core/forecast/range.ts'
import {
  fallsOf,
  holds,
  saidAndHappened,
  scoreOf,
  scoresOfThirds,
  type ForecastScore,
  type SaidChance,
} from '#core/forecast/score.ts'
import { forecastRows, type ForecastMarket } from '#core/forecast/rows.ts'
import { walkForward, type RangeForecast, type RangeModel } from '#core/forecast/walk-forward.ts'
import { groupBy } from '#core/group-by.ts'
import { countBefore } from '#core/market/candle-series.ts'
import { YEAR_MS } from '#core/market/candle.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { readCandleFile } from '#server/market/candle-file.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'

/** One of each kind. The trading costs are those of the exchange that the candles are from. */
const SCORED_BOTS = ['trend-moderate', 'balanced-moderate', 'hold'] as const
const costs = VENUE_COSTS.binance

/** The text of both files, computed from the candles that come with the product. */
export function rangeModelTexts(): { models: string; scores: string } {
  const markets = shippedMarkets()
  const rows = forecastRows(markets)
  const { models, forecasts } = walkForward(rows)
  const fromMs = (markets[0]?.series.openTimesMs[0] ?? 0) + YEAR_MS
  const firstMs = models.find(({ trainedUntilMs }) => trainedUntilMs >= fromMs)?.trainedUntilMs ?? 0
  const walked = { markets, rows, models, forecasts, fromMs: firstMs }
  return { models: modelLines(models, markets), scores: scoresText(walked) }
}

export function shippedMarkets(): ForecastMarket[] {
  return recordedFiles().map(({ file, pair }) => ({
    pair,
    series: readCandleFile({ file, pair, untilMs: Number.POSITIVE_INFINITY }),
  }))
}

/** Training rows and forecasts of the shipped candles. */
export function shippedWalk() {
  const rows = forecastRows(shippedMarkets())
  return { rows, forecasts: walkForward(rows).forecasts }
}

function modelLines(models: readonly RangeModel[], markets: readonly ForecastMarket[]): string {
  const hash = createHash('sha256')
  const pairs = markets.map(({ pair }) => pair)
  const lines = models.map(({ trainedUntilMs, ...model }, index) => {
    const fromMs = models[index - 1]?.trainedUntilMs ?? 0
    for (const market of markets) hashCandles(hash, market, { fromMs, toMs: trainedUntilMs })
    const trainedUntil = day(trainedUntilMs)
    const candles = hash.copy().digest('hex')
    return JSON.stringify({ id: idOf(trainedUntil), trainedUntil, pairs, candles, ...model })
  })
  return `${lines.join('\n')}\n`
}

/** Adds the candles of a pair in a period to the hash. */
function hashCandles(
  hash: Hash,
  { pair, series }: ForecastMarket,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): void {
  const { openTimesMs, open, high, low, close } = series
  for (let at = countBefore(series, fromMs); at < countBefore(series, toMs); at += 1)
    hash.update(`${pair} ${openTimesMs[at]} ${open[at]} ${high[at]} ${low[at]} ${close[at]}\n`)
}

/** Scores of each month, from the first that had a year of candles before it. */
function scoresText(walked: WalkedForward): string {
  const { models, forecasts, fromMs } = walked
  const scored = forecasts.filter(({ row }) => row.timeMs >= fromMs)
  const bots = SCORED_BOTS.map((strategy) => ({
    strategy,
    ...scoreBot(walked, { strategy, costs }),
  }))
  const by = (keyOf: (forecast: RangeForecast) => string) =>
    [...groupBy(scored, keyOf)].map(([name, days]) => ({ name, ...shown(scoreOf(days)) }))
  const months = by(({ row }) => day(row.timeMs).slice(0, 7))
  const parts = {
    model: idOf(day(models.at(-1)?.trainedUntilMs ?? 0)),
    from: day(fromMs),
    to: day(scored.at(-1)?.row.timeMs ?? 0),
    months: months.length,
    total: shown(scoreOf(scored)),
    ...rangesOf(scored),
    byPair: by(({ row }) => row.pair),
    byYear: by(({ row }) => day(row.timeMs).slice(0, 4)),
    byThird: scoresOfThirds(scored).map(shown),
    chances: saidAndHappened(fallsOf(scored)).map(shownChance),
    bots: bots.map(({ strategy, days, held80 }) => ({
      strategy,
      days,
      held80,
      percent80: percentOf(held80, days),
    })),
    botFalls: BOT_FALLS.map((fall) => Math.round(100 * fall)),
    botChances: saidAndHappened(bots.flatMap(({ falls }) => falls)).map(shownChance),
    ...restOf(models),
    worseMonths: months.filter(({ qlike, plain }) => Number(qlike) > Number(plain.qlike)),
  }
  const lines = Object.entries(parts).map(
    ([name, part]) => `${JSON.stringify(name)}: ${JSON.stringify(part)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

/** How many of 100 days were within the 80 % range and below it, and the range's median ends. */
function rangesOf(scored: readonly RangeForecast[]) {
  const share = (is: (forecast: RangeForecast) => boolean) =>
    Math.round((100 * scored.filter(is).length) / scored.length)
  return {
    heldOf100: share(({ row, range80 }) => holds(range80, row.move)),
    belowOf100: share(({ row, range80 }) => row.move < range80.low),
    medianLow: medianPercent(scored.map(({ range80 }) => range80.low)),
    medianHigh: medianPercent(scored.map(({ range80 }) => range80.high)),
  }
}

/** The median of logarithms of ratios, as a percentage with a sign for losses. */
function medianPercent(logs: readonly number[]): string {
  const median = quantileAt(
    logs.toSorted((a, b) => a - b),
    STEPS / 2,
  )
  return percentOf(Math.expm1(median), 1)
}

function restOf(models: readonly RangeModel[]) {
  const rested = models.filter(({ resting }) => resting !== undefined)
  return {
    rests: models.at(-1)?.resting !== undefined,
    restedMonths: rested.map(({ trainedUntilMs }) => day(trainedUntilMs).slice(0, 7)),
  }
}

export function shownChance({ said, ...chance }: SaidChance) {
  return {
    ...chance,
    said: percentOf(said, 1),
    happenedPercent: percentOf(chance.happened, chance.days),
  }
}

function shown({ days, plain, ...model }: ForecastScore) {
  return { days, ...outlook(model, days), plain: outlook(plain, days) }
}

function outlook({ qlike, held80, held95 }: ForecastScore['plain'], days: number) {
  return {
    qlike: qlike.toFixed(4),
    held80,
    held95,
    percent80: percentOf(held80, days),
    percent95: percentOf(held95, days),
  }
}

function percentOf(count: number, days: number): string {
  return ((100 * count) / days).toFixed(2)
}

export function idOf(trainedUntil: string): string {
  return `range-24h ${trainedUntil.slice(0, 7)}`
}

export function day(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
