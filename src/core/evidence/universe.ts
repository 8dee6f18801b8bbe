import { DAY_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'

/** A period of history in which a bot is created, runs and is closed. */
export type Window = { fromMs: number; toMs: number }

export const WINDOW_DAYS = 365

/** Places of pairs among the markets, and the consecutive windows in which bots can trade them. */
export type Universe = { members: readonly number[]; windows: readonly Window[] }

/**
 * The windows of twelve months, one starting at each midnight (UTC) at which the strategy can judge
 * some pair, grouped by universe. A pair belongs to a window if on its first day `warmUp` candles
 * have passed, by which its longest trend can be judged, and its candles go on. Nothing later
 * counts: a coin that dies within the window is part of it. The last window ends with the pair that
 * goes on longest.
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

/** When the longest trend can first be judged, and the last candle. */
function spanOf(
  { openTimesMs, length }: CandleSeries,
  warmUp: number,
): { judgedMs: number; lastMs: number } {
  return {
    judgedMs: length > warmUp ? (openTimesMs[warmUp] ?? 0) : Number.POSITIVE_INFINITY,
    lastMs: openTimesMs[length - 1] ?? Number.NEGATIVE_INFINITY,
  }
}
