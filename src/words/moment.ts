import { locale } from './figures.ts'
import { language, type Language } from './language.ts'

/** 'Nov 21, 2026', in German '21.11.2026'. */
export const DAY: Record<Language, Intl.DateTimeFormatOptions> = {
  en: { month: 'short', day: 'numeric', year: 'numeric' },
  de: { month: '2-digit', day: '2-digit', year: 'numeric' },
}
/** '14:05' */
export const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** A moment that core printed, '2026-11-23 14:00' in UTC, as the reader writes it: 'Nov 23, 2026, 14:00'. Any other text stays as it is. */
export function momentInWords(text: string): string {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text)) return text
  return new Intl.DateTimeFormat(locale(), { ...DAY[language()], ...CLOCK, timeZone: 'UTC' }).format(new Date(timestampOf(text)))
}

/** The timestamp of a moment that core printed. */
export function timestampOf(text: string): string {
  return `${text.replace(' ', 'T')}:00Z`
}
