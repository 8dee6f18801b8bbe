import { readFileSync } from 'node:fs'

/**
 * Questions by people's habits: short, misspelled, angry, chatty, pasted from the screen, several
 * in one. They were written from what the screens let people do, before anyone looked at which of
 * them the help can answer, and dealt alternately to two halves. Tune with the open half. Of the
 * held-out half look at nothing but its scores, and never copy a question of either into an article
 * or a training list.
 */
export type Half = 'open' | 'held-out'

/**
 * `accepted`: the articles that answer it, 'account' for the user's own figures, 'declined' for
 * advice and promises; 'off-product' for money matters that this product does not have, 'unknown'
 * for other fields.
 */
export type Habit = { question: string; accepted: readonly string[] }

/**
 * Parses a half: a line 'intent → accepted' starts a group; a line '- question' is a question,
 * whose own '→ accepted' replaces the group's.
 */
export function readHabits(half: Half): Habit[] {
  const lines = readFileSync(new URL(`habits/${half}.txt`, import.meta.url), 'utf8').split('\n')
  let accepted: string[] = []
  return lines.flatMap((line) => {
    const [text = '', labels] = line.split(' → ')
    const own = labels?.split(' ')
    if (text.startsWith('- ')) return [{ question: text.slice(2), accepted: own ?? accepted }]
    accepted = own ?? []
    return []
  })
}
