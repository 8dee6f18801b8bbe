import type { MarketScores } from '#contract/forecasts.ts'
import { scoredForecasts, type MarketDay } from '#core/forecast/market-day.ts'
import { fallsOf, holds, saidAndHappened } from '#core/forecast/score.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { day, shownChance } from './range-model-files.ts'

/** With fewer scored days, a comparison of chances would mislead. */
const LEAST_DAYS = 60

/** Null before the first forecast. */
export function marketScores(days: readonly MarketDay[]): MarketScores | null {
  const made = days.filter(({ forecasts }) => forecasts.length > 0)
  const [first, last] = [made[0], days.at(-1)]
  if (!first || !last) return null
  const scored = scoredForecasts(days)
  const scoredDays = new Set(scored.map(({ row }) => row.timeMs)).size
  return {
    since: day(first.timeMs),
    days: scoredDays,
    missed: (last.timeMs - first.timeMs) / DAY_MS + 1 - made.length,
    forecasts: scored.length,
    held80: scored.filter(({ range80, row }) => holds(range80, row.move)).length,
    chances: scoredDays < LEAST_DAYS ? [] : saidAndHappened(fallsOf(scored)).map(shownChance),
  }
}

type Recorded = { days: readonly MarketDay[]; head: string }
let last: { head: string; scores: MarketScores | null } | undefined

/** Computed once for each head of the chain, which changes with each day. */
export function scoresAt(recorded: Recorded): MarketScores | null {
  if (last?.head !== recorded.head)
    last = { head: recorded.head, scores: marketScores(recorded.days) }
  return last.scores
}
