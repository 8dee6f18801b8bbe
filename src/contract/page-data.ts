import type { Language } from '#words/language.ts'

/** The facts with which the server rendered a page. The device's settings are from its cookies. */
export type PageFacts = {
  /** ISO 8601, before the answers of the page were read. */
  at: string
  /** The moment of the answers, as in the ids of events; empty for signed-out visitors. */
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
  /** The font is in the browser's cache. */
  hasFont: boolean
}

/** Answers that a page carries, by their queries' keys, parts joined with slashes. */
export type FirstAnswers = Record<string, unknown>

export type PageData = FirstAnswers & { page?: PageFacts }

/** The colors of a browser's own bars beside each theme: those of the paper in `theme.css`. */
export const THEME_COLORS = { light: '#F6F4EE', dark: '#0D0C0A' } as const
