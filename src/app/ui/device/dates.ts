import { CLOCK, DAY } from '#words/date-formats.ts'
import { locale } from '#words/figures.ts'
import { language } from '#words/language.ts'
import { deviceTime } from './clock.ts'
import { useDeviceFact } from './device-facts.ts'
import { deviceTimeZone } from './reported.ts'

const SHORT_DAY = { month: 'short', day: 'numeric' } as const
const MONTH = { month: 'short', year: 'numeric' } as const
const CLOCK_TO_THE_SECOND = { ...CLOCK, second: '2-digit' } as const

export type Dates = {
  dayText: (timestamp: string) => string
  /** 'Nov 21, 2026, 14:05' */
  momentText: (timestamp: string) => string
  shortDayText: (timestamp: string) => string
  monthText: (timestamp: string) => string
  /** 'Nov 21, 14:05' */
  shortMomentText: (timestamp: string) => string
  clockText: (timestamp: string) => string
  /** '14:05' today, 'Nov 21, 2026, 14:05' on any other day. */
  sinceText: (timestamp: string) => string
  /** '14:05:22' today, 'Nov 21, 2026, 14:05' on any other day. */
  secondText: (at: Date) => string
}

/** Limit of the cache, because the server renders pages for every time zone and language. */
const MAX_ZONES = 50
const datesByZone = new Map<string, Dates>()

/**
 * Dates in the user's time zone or, while it is unknown, in UTC, which is then written behind each
 * time.
 */
export function useDates(): Dates {
  return datesIn(useDeviceFact({ onDevice: ownZone, onPage: ({ timeZone }) => timeZone }))
}

/** 'Nov 21, 2026' in UTC: the same for every user. */
export function utcDayText(timestamp: string): string {
  return datesIn('UTC').dayText(timestamp)
}

/**
 * Dates in a time zone, in the reader's language. `known`: null for UTC, which is then written
 * behind each time.
 */
export function datesIn(known: string | null): Dates {
  const key = `${locale()} ${known}`
  const found = datesByZone.get(key)
  if (found) return found
  const format = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { ...parts, timeZone: known ?? 'UTC' })
  const named: Intl.DateTimeFormatOptions = known === null ? { timeZoneName: 'short' } : {}
  const [day, moment] = [
    format(DAY[language()]),
    format({ ...DAY[language()], ...CLOCK, ...named }),
  ]
  const [clock, second] = [
    format({ ...CLOCK, ...named }),
    format({ ...CLOCK_TO_THE_SECOND, ...named }),
  ]
  const [shortDay, shortMoment, month] = [
    format(SHORT_DAY),
    format({ ...SHORT_DAY, ...CLOCK, ...named }),
    format(MONTH),
  ]
  const isToday = (at: Date) => day.format(at) === day.format(deviceTime())
  const dates: Dates = {
    dayText: (timestamp) => day.format(new Date(timestamp)),
    momentText: (timestamp) => moment.format(new Date(timestamp)),
    shortDayText: (timestamp) => shortDay.format(new Date(timestamp)),
    monthText: (timestamp) => month.format(new Date(timestamp)),
    shortMomentText: (timestamp) => shortMoment.format(new Date(timestamp)),
    clockText: (timestamp) => clock.format(new Date(timestamp)),
    sinceText: (timestamp) => {
      const at = new Date(timestamp)
      return (isToday(at) ? clock : moment).format(at)
    },
    secondText: (at) => (isToday(at) ? second : moment).format(at),
  }
  if (datesByZone.size >= MAX_ZONES) datesByZone.clear()
  datesByZone.set(key, dates)
  return dates
}

let zone: string | null | undefined

/** Cached, because each date on a screen needs it. */
function ownZone(): string | null {
  if (zone === undefined) zone = deviceTimeZone()
  return zone
}
