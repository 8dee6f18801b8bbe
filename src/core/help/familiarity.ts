import type { Vocabulary } from './tongue.ts'

/**
 * `terms`: how typical the terms are of questions about the product. `strange`: the share of terms
 * that are in no page about the product.
 */
export type Familiarity = { terms: number; strange: number }

/** `pages`: all texts about the product, questions included. */
type Texts = { inside: readonly string[]; outside: readonly string[]; pages: readonly string[] }

/**
 * An unseen term counts as slightly unfamiliar, because most words of a language are about other
 * things.
 */
const UNSEEN = { inside: 0.3, outside: 0.5 }

/**
 * Learns the log odds of each term: its frequency in texts about the product against other texts.
 */
export function openFamiliarity(
  questions: Texts,
  { termsOf }: Vocabulary,
): (question: string) => Familiarity {
  const inside = countTerms(questions.inside, termsOf)
  const outside = countTerms(questions.outside, termsOf)
  const known = new Set(questions.pages.flatMap(termsOf))
  const oddsOf = (term: string) =>
    Math.log(
      (((inside.get(term) ?? 0) + UNSEEN.inside) * questions.outside.length) /
        (((outside.get(term) ?? 0) + UNSEEN.outside) * questions.inside.length),
    )
  return (question) => {
    const terms = [...new Set(termsOf(question))]
    const sum = terms.reduce((total, term) => total + oddsOf(term), 0)
    return {
      terms: sum / Math.sqrt(terms.length || 1),
      strange: terms.filter((term) => !known.has(term)).length / (terms.length || 1),
    }
  }
}

function countTerms(
  questions: readonly string[],
  termsOf: Vocabulary['termsOf'],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of questions.flatMap((question) => [...new Set(termsOf(question))]))
    counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
