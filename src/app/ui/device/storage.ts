import { attempt } from './attempt.ts'

type Place = 'localStorage' | 'sessionStorage'

/** A text that this device stored; undefined if there is none. */
export function storedText(place: Place, key: string): string | undefined {
  return attempt(() => window[place].getItem(key)) ?? undefined
}

/**
 * Stores a text; without one, removes it. If the browser denies storage or its storage is full, the
 * text is lost at a reload.
 */
export function storeText(place: Place, key: string, text?: string): void {
  attempt(() =>
    text === undefined ? window[place].removeItem(key) : window[place].setItem(key, text),
  )
}
