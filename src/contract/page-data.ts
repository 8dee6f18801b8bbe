import type { Language } from '#words/language.ts'

/** Facts for which the server rendered the page. Device settings come from its cookies. */
export type PageFacts = {
  /** ISO 8601. A time before the page's answers were read. */
  at: string
  /** Moment of the answers, as in ids of events; empty for signed-out visitors. */
  since: string
  /** Null until the device has reported one. */
  timeZone: string | null
  language: Language
  theme: 'light' | 'dark' | 'system'
  hidesBalance: boolean
  /** Whether the user has dismissed the card with the first steps. */
  hidesFirstSteps: boolean
  /** Whether the device is probably no phone, so that columns may fit. */
  isDesk: boolean
  hasFont: boolean
}

/** Coins that a phone's Home shows until a press shows all. */
export const FIRST_COINS = 3

/** By query key, with its parts joined by slashes. */
export type FirstAnswers = Record<string, unknown>

export type PageData = FirstAnswers & { page?: PageFacts }

/** Colors of the browser's own bars by theme: the color `paper` of `theme.css`. */
export const THEME_COLORS = { light: '#F6F4EE', dark: '#0D0C0A' } as const
