import { locale } from './figures.ts'
import { language } from './language.ts'

/** A moment that core printed, '2026-11-23 14:00' in UTC, as the reader writes it. Any other text stays as it is. */
export function momentInWords(text: string): string {
  if (language() === 'en' || !/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text)) return text
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`${text.replace(' ', 'T')}Z`))
}
