import type { Language } from '#words/language.ts'

/**
 * The facts with which the server rendered a page: the time, and the device's settings from its
 * cookies.
 */
export type PageFacts = {
  /** ISO 8601, before the answers of the page were read. */
  at: string
  /**
   * The moment at which the answers of the page were read, as the ids of events; empty for
   * signed-out visitors.
   */
  since: string
  /** Null until the device has reported one. */
  timeZone: string | null
  language: Language
  theme: 'light' | 'dark' | 'system'
  hidesBalance: boolean
  /** The user has dismissed the card with the first steps. */
  hidesFirstSteps: boolean
  /** The device is probably no phone, so that there may be room for columns. */
  isDesk: boolean
  /** The font is in the browser's cache. */
  hasFont: boolean
}

/**
 * Answers that a page carries. The name of each is its query's key, the parts joined with slashes.
 */
export type FirstAnswers = Record<string, unknown>

/** The data in a page, for the app that takes over. */
export type PageData = FirstAnswers & { page?: PageFacts }
