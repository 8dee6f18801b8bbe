import { countBefore } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { ExposureChange } from '#core/strategy/signals.ts'

/** A pair, its candles, and every exposure change that one risk level makes on them from their first candle. */
export type ScheduledMarket = { pair: Pair; series: CandleSeries; changes: readonly ExposureChange[] }

/** A moment at which something may be traded: for each market the candle that opens then, or the next one that will. */
export type Moment = { timeMs: number; indexes: readonly number[]; opened: readonly boolean[] }

/** The moments at which any of the changes is executed, in the order of time: between them nothing trades. */
export function scheduleOf(markets: readonly ScheduledMarket[]): Moment[] {
  const times = markets.flatMap(({ series, changes }) => changes.map(({ closedCount }) => series.openTimesMs[closedCount]))
  return momentsAt(markets, times)
}

/** The moments at which each market opens its first candle at or after `timeMs`: one, unless there are holes. */
export function openingsAt(markets: readonly ScheduledMarket[], timeMs: number): Moment[] {
  return momentsAt(markets, markets.map(({ series }) => series.openTimesMs[countBefore(series, timeMs)]))
}

/** The moments of `schedule` after `fromMs` and before `toMs`. */
export function between(schedule: readonly Moment[], { fromMs, toMs }: { fromMs: number; toMs: number }): readonly Moment[] {
  return schedule.slice(firstNotBefore(schedule, fromMs + 1), firstNotBefore(schedule, toMs))
}

function momentsAt(markets: readonly ScheduledMarket[], times: readonly (number | undefined)[]): Moment[] {
  const distinct = new Set(times.filter((time) => time !== undefined && time > 0))
  return Array.from(distinct, (time) => momentAt(markets, time ?? 0)).toSorted((a, b) => a.timeMs - b.timeMs)
}

function momentAt(markets: readonly ScheduledMarket[], timeMs: number): Moment {
  const indexes = markets.map(({ series }) => countBefore(series, timeMs))
  return { timeMs, indexes, opened: markets.map(({ series }, which) => isOpen(series, { index: indexes[which] ?? 0, timeMs })) }
}

function isOpen({ length, openTimesMs }: CandleSeries, { index, timeMs }: { index: number; timeMs: number }): boolean {
  return index < length && openTimesMs[index] === timeMs
}

function firstNotBefore(schedule: readonly Moment[], timeMs: number): number {
  let low = 0
  let high = schedule.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((schedule[middle]?.timeMs ?? 0) < timeMs) low = middle + 1
    else high = middle
  }
  return low
}
