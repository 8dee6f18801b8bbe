import type { AccountTopic, Tongue, Vocabulary } from './tongue.ts'

/** Texts may contain alternatives, separated by bars. */
export const oneOf = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`

export const COINS =
  'btc|bitcoin|eth|ethereum|ada|cardano|dot|polkadot|sol|solana|avax|avalanche|matic|pol|link|' +
  'chainlink|uni|ltc|litecoin|xrp|bnb|doge\\w*'

/** Lower case, without accents and curly quotes. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[‘’´`]/g, "'")
    .replaceAll(/\s+/g, ' ')
}

/** In folded letters, longer forms first. */
export type VocabularyForms = readonly (readonly [from: RegExp, to: string])[]

export function spellOut(folded: string, shortForms: VocabularyForms): string {
  const spelled = shortForms.reduce((plain, [short, long]) => plain.replaceAll(short, long), folded)
  return spelled.replaceAll(/ {2,}/g, ' ').trim()
}

/** One language, lower case, folded, separated by blanks. */
type WordLists = Pick<
  Vocabulary,
  'plainText' | 'related' | 'shortestTypo' | 'compoundLinks' | 'isSpelled'
> & {
  /** Phrases that count as a single word here. */
  phrases: VocabularyForms
  /** `thousands`: the separator in figures. */
  word: RegExp
  thousands: RegExp
  /** Synonyms, by the word that replaces them. */
  same: ReadonlyMap<string, string>
  stopWords: ReadonlySet<string>
  /** Drops endings that are not part of the word; undefined if nothing is left. */
  bareWord: (word: string) => string | undefined
  stem: (word: string) => string
}

export function openVocabulary({
  phrases,
  word: pattern,
  thousands,
  same,
  stopWords,
  bareWord,
  stem,
  isSpelled,
  ...rest
}: WordLists): Vocabulary {
  const termOf = (word: string): string[] => {
    const bare = bareWord(word)
    return bare === undefined || stopWords.has(bare) ? [] : [stem(same.get(bare) ?? bare)]
  }
  return {
    ...rest,
    termOf,
    termsOf: (text) => {
      const joined = phrases.reduce(
        (plain, [phrase, word]) => plain.replaceAll(phrase, ` ${word} `),
        rest.plainText(text),
      )
      return (joined.replaceAll(thousands, '$1').match(pattern) ?? []).flatMap(termOf)
    },
    isSpelled: (word) => stopWords.has(word) || same.has(word) || isSpelled(word),
    isJoining: (word) => stopWords.has(word),
  }
}

/** Maps each word to the key of its list. */
export function byWord(lists: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(lists).flatMap(([word, others]) =>
      others.split(' ').map((other) => [other, word]),
    ),
  )
}

/** One language, matched against plain text. */
type QuestionPatterns = {
  /** Requests for advice, a forecast or a promise; never questions about the app. */
  advice: readonly RegExp[]
  /** Questions about how things work rather than about figures. */
  general: RegExp
  /** Questions about money, whatever else they contain. */
  balance: readonly RegExp[]
  /** Topics, first match wins: 'how much money did my bots lose' is about bots. */
  topics: readonly (readonly [AccountTopic, readonly RegExp[]])[]
  figures: RegExp
  /** References to other people. Words that no article contains count as names. */
  others: RegExp
  /** Patterns that capture the word where a name would be. */
  named: readonly RegExp[]
  /** A word that is known when one of these endings is removed is not a name. */
  endings: readonly string[]
}

export function openQuestions(
  plainText: Vocabulary['plainText'],
  { advice, general, balance, topics, figures, others, named, endings }: QuestionPatterns,
): Pick<Tongue, 'asksForAdvice' | 'accountTopicOf' | 'asksAboutSomebodyElse'> {
  const fitsOne = (patterns: readonly RegExp[], plain: string) =>
    patterns.some((pattern) => pattern.test(plain))
  return {
    asksForAdvice: (question) => fitsOne(advice, plainText(question)),
    accountTopicOf: (question) => {
      const plain = plainText(question)
        .replaceAll(/[?!.,]+/g, ' ')
        .replaceAll(/ {2,}/g, ' ')
        .trim()
      if (fitsOne(balance, plain)) return 'balance'
      if (general.test(plain)) return undefined
      return topics.find(([, forms]) => fitsOne(forms, plain))?.[0]
    },
    asksAboutSomebodyElse: (question, isKnown) => {
      const plain = plainText(question)
      const names = named.flatMap((name) => [...plain.matchAll(name)]).map(([, name = '']) => name)
      const isName = (word: string) => !endings.some((ending) => isKnown(word + ending))
      return figures.test(plain) && (others.test(plain) || names.some(isName))
    },
  }
}
