/** What the doctor found about one thing: in order, not there, or not as it must be; and what to do. */
export type Finding = { state: 'ok' | 'missing' | 'wrong'; about: string; say: string }

export const ok = (about: string, say: string): Finding => ({ state: 'ok', about, say })
export const missing = (about: string, say: string): Finding => ({ state: 'missing', about, say })
export const wrong = (about: string, say: string): Finding => ({ state: 'wrong', about, say })

/** The first sentence of an error, short enough for a line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, MOST_LETTERS)
}

const MOST_LETTERS = 160
