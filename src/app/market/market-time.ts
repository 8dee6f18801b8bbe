import { useMemo } from 'react'
import type { PublicConfig } from '#contract/config.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { countText, groupDigits, locale } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { useDates, type Dates } from '#app/ui/device/dates.ts'

/** Prints instants of market time. For real dates, such as of money in or out, see `useDates`. */
export type MarketTime = {
  /** 'Day 12' */
  dayText: (timestamp: string) => string
  /** 'Day 12, 14:00' */
  momentText: (timestamp: string) => string
  /** '14:00' */
  clockText: (timestamp: string) => string
  /**
   * A short text on a chart of `spanMs`: 'Day 12', with the hour if the chart shows a day or two.
   */
  tickText: (timestamp: string, spanMs: number) => string
  /** 'Day 1 – Day 12' */
  periodText: (from: string, to: string) => string
}

/**
 * A simulated market has no calendar: its days are counted from the start of the book. A recorded
 * market has the dates of its recording, and a live market the ordinary date and time.
 */
export function useMarketTime(): MarketTime {
  const dates = useDates()
  const feed = useConfig().data?.feed
  // The same object until the market or the zone changes, so that rows that use it are not rendered
  // again.
  return useMemo(
    () => (feed?.kind === 'simulated' ? countedTime(feed) : calendarTime(dates)),
    [feed, dates],
  )
}

/**
 * Formats times of a replay that ends at `to`. On a simulated market they are relative ('3 days
 * ago'), because a replay may begin before Day 1.
 */
export function useReplayTime(to: string): MarketTime {
  const dates = useDates()
  const feed = useConfig().data?.feed
  return feed?.kind === 'simulated' ? timeBefore(to, feed) : calendarTime(dates)
}

export function timeBefore(to: string, { start }: Pick<PublicConfig['feed'], 'start'>): MarketTime {
  const daysAgo = (timestamp: string) =>
    Math.floor((Date.parse(to) - Date.parse(timestamp)) / DAY_MS)
  const clockText = (timestamp: string) => clockOf(Date.parse(timestamp) - Date.parse(start))
  const dayText = (timestamp: string) => {
    const days = daysAgo(timestamp)
    if (days < 1) return t('now')
    return tCount(
      days,
      { one: '{count} day ago', other: '{count} days ago' },
      { count: countText(days) },
    )
  }
  return {
    dayText,
    clockText,
    momentText: (timestamp) =>
      daysAgo(timestamp) < 1
        ? t('less than a day ago')
        : `${dayText(timestamp)}, ${clockText(timestamp)}`,
    tickText: dayText,
    periodText: (from, until) => {
      const days = Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS)
      return tCount(
        days,
        { one: '{count} market day', other: '{count} market days' },
        { count: countText(days) },
      )
    },
  }
}

/** Days counted from the start of the market. Prices may be older: '3 days before Day 1'. */
export function countedTime({ start }: Pick<PublicConfig['feed'], 'start'>): MarketTime {
  const startMs = Date.parse(start)
  const dayOf = (timestamp: string) => Math.floor((Date.parse(timestamp) - startMs) / DAY_MS) + 1
  const dayText = (timestamp: string) => {
    const day = dayOf(timestamp)
    if (day > 0) return t('Day {day}', { day: countText(day) })
    return tCount(
      1 - day,
      { one: '{count} day before Day 1', other: '{count} days before Day 1' },
      { count: countText(1 - day) },
    )
  }
  const shortDayText = (timestamp: string) => {
    const before = 1 - dayOf(timestamp)
    return before < 1
      ? dayText(timestamp)
      : tCount(
          before,
          { one: '{count} day before', other: '{count} days before' },
          { count: countText(before) },
        )
  }
  const clockText = (timestamp: string) => clockOf(Date.parse(timestamp) - startMs)
  return {
    dayText,
    clockText,
    momentText: (timestamp) => `${dayText(timestamp)}, ${clockText(timestamp)}`,
    tickText: (timestamp, spanMs) =>
      shortDayText(timestamp) + (spanMs <= 2 * DAY_MS ? `, ${clockText(timestamp)}` : ''),
    periodText: (from, to) => `${dayText(from)} – ${dayText(to)}`,
  }
}

function calendarTime({
  dayText,
  clockText,
  momentText,
  shortMomentText,
  shortDayText,
  monthText,
}: Dates): MarketTime {
  return {
    dayText,
    clockText,
    momentText,
    tickText: (timestamp, spanMs) => {
      if (spanMs <= 2 * DAY_MS) return shortMomentText(timestamp)
      return spanMs <= 300 * DAY_MS ? shortDayText(timestamp) : monthText(timestamp)
    },
    periodText: (from, to) => `${dayText(from)} – ${dayText(to)}`,
  }
}

function clockOf(sinceStartMs: number): string {
  const minutes = Math.floor(sinceStartMs / 60_000)
  const ofDay = ((minutes % 1_440) + 1_440) % 1_440
  const two = (count: number) => String(count).padStart(2, '0')
  return `${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`
}

/** Signs are written alike in all languages; a day has none. */
const UNITS = [
  ['day', 86_400, undefined],
  ['hour', 3_600, 'h'],
  ['minute', 60, 'min'],
  ['second', 1, 's'],
] as const

/**
 * How much market time passes in a real second: '1 s = 1 h', and '1 second is 1 hour' for screen
 * readers, which would read the signs letter by letter. Undefined for a market that runs in real
 * time or stands still.
 */
export function speedTexts(speed: number): Record<'shown' | 'spoken', string> | undefined {
  if (speed <= 0 || speed === 1) return undefined
  const [unit, seconds, sign] = UNITS.find(([, length]) => speed >= length) ?? UNITS[3]
  const count = Math.round((speed / seconds) * 10) / 10
  const time = unitText(unit, count)
  const digits = groupDigits(String(count), { minimum: 0, maximum: 1 })
  return {
    shown: `1 s = ${sign ? `${digits} ${sign}` : time}`,
    spoken: t('{second} is {time}', { second: unitText('second', 1), time }),
  }
}

function unitText(unit: string, count: number): string {
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
