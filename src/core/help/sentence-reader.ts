import type { Tongue } from './tongue.ts'

export type SentenceReader = {
  tongue: Tongue
  /** Content words. Figures are checked separately. */
  claimsOf: (sentence: string) => string[]
  /** Figures with their unit: '$10', '15%', '20', 'four'. */
  figuresOf: (sentence: string) => string[]
  isNegative: (sentence: string) => boolean
  /** The sentence without list markers and final punctuation. */
  bareText: (sentence: string) => string
}

export function openReader(tongue: Tongue): SentenceReader {
  const { plainText, termsOf, termOf } = tongue.vocabulary
  const { steering, spelledNumbers, negation, plainFigures } = tongue.speech
  const spelled = new Set(spelledNumbers)
  const silent = new Set([...steering, ...spelledNumbers].flatMap(termOf))
  return {
    tongue,
    claimsOf: (sentence) =>
      [...new Set(termsOf(sentence))].filter((term) => !silent.has(term) && !/^\d/.test(term)),
    figuresOf: (sentence) => {
      const plain = plainText(sentence)
      const figures = [...plainFigures(plain).matchAll(/(\$ ?)?(\d+(?:\.\d+)?)(%)?/g)]
      const digits = figures.map(([, before, number = '', percent]) =>
        percent ? `${number}%` : before ? `$${number}` : number,
      )
      return [...digits, ...(plain.match(/\w+/g) ?? []).filter((word) => spelled.has(word))]
    },
    isNegative: (sentence) => negation.test(plainText(sentence)),
    bareText: (sentence) =>
      plainText(sentence)
        .replaceAll(/^- /gm, '')
        .replaceAll(/[.:;!]+$/g, ''),
  }
}
