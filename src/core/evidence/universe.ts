import { DAY_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'

/** Twelve months in which a bot is created, runs and is closed. */
export type Window = { fromMs: number; toMs: number }

export const WINDOW_DAYS = 365

/** `members`: indexes of markets. Bots can trade them in the consecutive `windows`. */
export type Universe = { members: readonly number[]; windows: readonly Window[] }

/**
 * Twelve-month windows, one starting at each midnight (UTC) at which some pair can be judged,
 * grouped by universe. A pair belongs to a window if on its first day it has `warmUp` candles and
 * its candles continue. Later candles are not considered, so a pair whose candles end within the
 * window stays in it. The last window ends with the pair whose candles last longest.
 */
export function universesOf(
  markets: readonly { series: CandleSeries }[],
  { warmUp }: { warmUp: number },
): Universe[] {
  const spans = markets.map(({ series }) => spanOf(series, warmUp))
  const firstMs = Math.min(...spans.map(({ judgedMs }) => judgedMs))
  const lastMs = Math.max(...spans.map((span) => span.lastMs))
  const universes: { members: number[]; windows: Window[] }[] = []
  for (
    let fromMs = Math.ceil(firstMs / DAY_MS) * DAY_MS;
    fromMs + WINDOW_DAYS * DAY_MS <= lastMs;
    fromMs += DAY_MS
  ) {
    const members = spans.flatMap((span, which) =>
      span.judgedMs <= fromMs && fromMs <= span.lastMs ? [which] : [],
    )
    if (members.length === 0) continue
    const window = { fromMs, toMs: fromMs + WINDOW_DAYS * DAY_MS }
    const current = universes.at(-1)
    if (current?.members.join() === members.join()) current.windows.push(window)
    else universes.push({ members, windows: [window] })
  }
  return universes
}

function spanOf(
  { openTimesMs, length }: CandleSeries,
  warmUp: number,
): { judgedMs: number; lastMs: number } {
  return {
    judgedMs: length > warmUp ? (openTimesMs[warmUp] ?? 0) : Number.POSITIVE_INFINITY,
    lastMs: openTimesMs[length - 1] ?? Number.NEGATIVE_INFINITY,
  }
}
