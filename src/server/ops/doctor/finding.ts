/** The doctor's result for one subject: in order, missing or wrong, and the remedy. */
export type Finding = { state: 'ok' | 'missing' | 'wrong'; about: string; message: string }

export const ok = (about: string, message: string): Finding => ({ state: 'ok', about, message })
export const missing = (about: string, message: string): Finding => ({
  state: 'missing',
  about,
  message,
})
export const wrong = (about: string, message: string): Finding => ({
  state: 'wrong',
  about,
  message,
})

/** The first sentence of an error, short enough for a line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, MOST_LETTERS)
}

const MOST_LETTERS = 160
