import { CLOCK, DAY } from './date-formats.ts'
import { locale } from './figures.ts'
import { language } from './language.ts'

/**
 * A moment that core printed, '2026-11-23 14:00' in UTC, in the reader's spelling: 'Nov 23, 2026,
 * 14:00'. Any other text is unchanged.
 */
export function momentInWords(text: string): string {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text)) return text
  return new Intl.DateTimeFormat(locale(), {
    ...DAY[language()],
    ...CLOCK,
    timeZone: 'UTC',
  }).format(new Date(timestampOf(text)))
}

/** '2026-11-23' as 'Nov 23, 2026'. */
export function dayInWords(text: string): string {
  return new Intl.DateTimeFormat(locale(), { ...DAY[language()], timeZone: 'UTC' }).format(
    new Date(text),
  )
}

export function timestampOf(text: string): string {
  return `${text.replace(' ', 'T')}:00Z`
}
