import type { Vocabulary } from './tongue.ts'

/** How familiar the terms of a question are from questions about the product rather than from others: all together, and the least of them. */
export type Familiarity = { terms: number; least: number }

/** A term seen in neither is slightly less familiar than not: most words of the language are about other things. */
const UNSEEN = { inside: 0.3, outside: 0.5 }

/** Compares how often a term occurs in questions about the product and in others; logarithms of odds. */
export function openFamiliarity(questions: { inside: readonly string[]; outside: readonly string[] }, { termsOf }: Vocabulary): (question: string) => Familiarity {
  const inside = countTerms(questions.inside, termsOf)
  const outside = countTerms(questions.outside, termsOf)
  const oddsOf = (term: string) =>
    Math.log((((inside.get(term) ?? 0) + UNSEEN.inside) * questions.outside.length) / (((outside.get(term) ?? 0) + UNSEEN.outside) * questions.inside.length))
  return (question) => {
    const odds = [...new Set(termsOf(question))].map(oddsOf)
    const sum = odds.reduce((total, one) => total + one, 0)
    return { terms: sum / Math.sqrt(odds.length || 1), least: Math.min(0, ...odds) }
  }
}

function countTerms(questions: readonly string[], termsOf: Vocabulary['termsOf']): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of questions.flatMap((question) => [...new Set(termsOf(question))])) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
