import type { Language } from './language.ts'

/** 'Nov 21, 2026', in German '21.11.2026'. */
export const DAY: Record<Language, Intl.DateTimeFormatOptions> = {
  en: { month: 'short', day: 'numeric', year: 'numeric' },
  de: { month: '2-digit', day: '2-digit', year: 'numeric' },
}
/** '14:05' */
export const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
