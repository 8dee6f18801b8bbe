import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { swingOf, varianceOf, type RangeCoefficients } from './model.ts'
import { quantileAt, shareUpTo, STEPS, type Range } from './range.ts'
import { AHEAD, pastDays, type PastDay } from './rows.ts'
import { lastOf, MOST_CANDLES, type KnownCandles } from './swings.ts'

/**
 * The next day of a whole bot by filtered historical simulation (Barone-Adesi, Giannopoulos and
 * Vosper 1999, "VaR without Correlations for Portfolios of Derivative Securities"): the moves of
 * each of the last days, in swings, are scaled to the swings forecast now and applied to the coins
 * held now.
 */

export const PAST_DAYS = 365
/** Minimum number of days that all coins have in common. With fewer, there is no range. */
const LEAST_DAYS = 250

/** Price paths of past days, in swings, by midnight. */
export type StandardPaths = ReadonlyMap<number, Float64Array>

/** `share`: of the bot's worth, 0 to 1. `swing`: forecast for the next day. */
export type HeldCoin = { share: number; swing: number; paths: StandardPaths }

/** Changes of worth as fractions, sorted: at the end of the day, at its lowest and its highest. */
export type BotDay = { ends: number[]; lows: number[]; highs: number[] }

/** Leaves out days with a missing hour, because their outcome was known only after 24 hours. */
export function standardPaths(model: RangeCoefficients, days: readonly PastDay[]): StandardPaths {
  return new Map(
    days
      .filter(({ timeMs, knownAtMs }) => knownAtMs === timeMs + DAY_MS)
      .map((day) => {
        const swing = swingOf(varianceOf(model, day))
        return [day.timeMs, day.path.map((move) => move / swing)]
      }),
  )
}

/** Standard paths of the latest days only, as many as `botDay` needs. */
export function lastPaths(model: RangeCoefficients, known: KnownCandles): StandardPaths {
  const candles = MOST_CANDLES + ((PAST_DAYS + 2) * DAY_MS) / HOUR_MS
  return standardPaths(model, pastDays(lastOf(known, candles)))
}

/** Uses only days that ended by `atMs`. Undefined if they are too few. */
export function botDay(coins: readonly HeldCoin[], atMs: number): BotDay | undefined {
  const lastMs = Math.floor(atMs / DAY_MS) * DAY_MS
  const days: Float64Array[] = []
  for (let back = 1; back <= PAST_DAYS; back += 1) {
    const day = dayAgain(coins, lastMs - back * DAY_MS)
    if (day) days.push(day)
  }
  if (days.length < LEAST_DAYS) return undefined
  const sorted = (of: (day: Float64Array) => number) =>
    days.map(of).toSorted((one, other) => one - other)
  return {
    ends: sorted((day) => day.at(-1) ?? 0),
    lows: sorted((day) => Math.min(...day)),
    highs: sorted((day) => Math.max(...day)),
  }
}

function dayAgain(coins: readonly HeldCoin[], timeMs: number): Float64Array | undefined {
  const change = new Float64Array(AHEAD)
  for (const { share, swing, paths } of coins) {
    const path = paths.get(timeMs)
    if (!path) return undefined
    for (let hour = 0; hour < AHEAD; hour += 1)
      change[hour] = (change[hour] ?? 0) + share * (Math.exp(swing * (path[hour] ?? 0)) - 1)
  }
  return change
}

/** The range that held the change of worth on eight of ten past days. */
export function rangeOfBot({ ends }: BotDay): Range {
  return { low: quantileAt(ends, STEPS / 10), high: quantileAt(ends, STEPS - STEPS / 10) }
}

/** Chance that the worth is `fraction` lower or more at the close of an hour, as a fraction. */
export function chanceOfBotFall({ lows }: BotDay, fraction: number): number {
  return shareUpTo(lows, -fraction)
}

/** Chance that the worth is `fraction` higher or more at the close of an hour. */
export function chanceOfBotRise({ highs }: BotDay, fraction: number): number {
  return highs.filter((high) => high >= fraction).length / highs.length
}
