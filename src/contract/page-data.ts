import type { Language } from '#words/language.ts'

/** Facts for which the server rendered the page. Device settings come from its cookies. */
export type PageFacts = {
  /** ISO 8601, before the page's answers were read. */
  at: string
  /** Moment of the answers, as in ids of events; empty for signed-out visitors. */
  since: string
  /** Null until the device has reported one. */
  timeZone: string | null
  language: Language
  theme: 'light' | 'dark' | 'system'
  hidesBalance: boolean
  /** The user has dismissed the card with the first steps. */
  hidesFirstSteps: boolean
  /** Probably no phone: there may be room for columns. */
  isDesk: boolean
  hasFont: boolean
}

/** By query key, its parts joined with slashes. */
export type FirstAnswers = Record<string, unknown>

export type PageData = FirstAnswers & { page?: PageFacts }

/** Colors of the browser's own bars by theme: the paper's in `theme.css`. */
export const THEME_COLORS = { light: '#F6F4EE', dark: '#0D0C0A' } as const
