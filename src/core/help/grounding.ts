import { ENGLISH } from './english.ts'
import { openReader, type SentenceReader } from './sentence-reader.ts'
import type { Tongue } from './tongue.ts'

/** Reasons not to show a sentence as our answer. */
export type Fault = 'foreign' | 'promise' | 'affirmation' | 'figure' | 'unsupported' | 'reversed'

/** `said`, `denied`: words of the articles' statements and denials. */
type Passages = {
  reader: SentenceReader
  sentences: readonly Sentence[]
  words: Words
  said: Words
  denied: Words
  capitals: Words
  texts: ReadonlySet<string>
}

type Words = ReadonlySet<string>
type Sentence = { terms: Words; figures: ReadonlySet<string> }

/**
 * Minimum shares of a sentence's words: `together`, found anywhere in the articles; `single`, found
 * in one sentence of them. Tuned on the test's table.
 */
const SUPPORT = { together: 0.75, single: 0.5 }

/** Sentences within this factor of the best match may support a figure. */
const NEARLY_BEST = 0.7

/** Ends of clauses. A clause states or denies one thing. */
const CLAUSES = /(?<=[.!?;,])\s+|\n+/

/** Ends of the passages that an answer may quote or condense: paragraphs, sentences or clauses. */
const CUTS = [/\n+/, /(?<=[.!?])\s+|\n+/, /(?<=[.!?:;])\s+|\n+/]

export function openPassages(texts: readonly string[], tongue: Tongue = ENGLISH): Passages {
  const reader = openReader(tongue)
  const { claimsOf, figuresOf, isNegative, bareText } = reader
  const cut = CUTS.flatMap((at) => texts.flatMap((text) => text.split(at))).filter(
    (sentence) => tongue.vocabulary.termsOf(sentence).length > 0,
  )
  const sentences = [...new Set(cut)].map((sentence) => ({
    terms: new Set(claimsOf(sentence)),
    figures: new Set(figuresOf(sentence)),
  }))
  const clauses = texts
    .flatMap((text) => text.split(CLAUSES))
    .filter((clause) => !clause.endsWith('?'))
  const wordsOf = (list: readonly string[]) => new Set(list.flatMap(claimsOf))
  const said = wordsOf(clauses.filter((clause) => !isNegative(clause)))
  const denied = wordsOf(clauses.filter(isNegative))
  return {
    reader,
    sentences,
    words: wordsOf(cut),
    said,
    denied,
    capitals: new Set(texts.flatMap(capitalsOf)),
    texts: new Set(cut.map(bareText)),
  }
}

/**
 * Undefined if `passages` support `sentence`; a verbatim quote is always supported. In doubt a
 * fault is reported, and the caller shows the article instead. Threat: a model that invents,
 * promises, advises, or obeys what a user typed.
 */
export function faultOf(sentence: string, passages: Passages): Fault | undefined {
  const { bareText, tongue } = passages.reader
  if (passages.texts.has(bareText(sentence))) return undefined
  const plain = tongue.vocabulary.plainText(sentence)
  const { foreign, promises, affirmation } = tongue.speech
  if (
    foreign.test(plain) ||
    isForeign(sentence) ||
    capitalsOf(sentence).some((word) => !passages.capitals.has(word))
  )
    return 'foreign'
  if (promises.some((promise) => promise.test(plain))) return 'promise'
  if (affirmation.test(plain)) return 'affirmation'
  if (!isSupported(sentence, passages)) return 'unsupported'
  if (!haveFigures(sentence, passages)) return 'figure'
  return sentence.split(CLAUSES).some((clause) => isReversed(clause, passages))
    ? 'reversed'
    : undefined
}

function isSupported(sentence: string, { reader, sentences, words }: Passages): boolean {
  const claims = reader.claimsOf(sentence)
  return (
    claims.length > 0 &&
    shareIn(words, claims) >= SUPPORT.together &&
    sentences.some(({ terms }) => shareIn(terms, claims) >= SUPPORT.single)
  )
}

/**
 * A figure must come from a sentence of the articles that nearly is the best match: it shares
 * nearly the most words with `sentence` and has nearly the fewest other words.
 */
function haveFigures(sentence: string, { reader, sentences }: Passages): boolean {
  const claims = reader.claimsOf(sentence)
  const supporters = nearlyBest(sentences, ({ terms }) => shareIn(terms, claims)).filter(
    ({ figures }) => figures.size > 0,
  )
  const closest = nearlyBest(
    supporters,
    ({ terms }) => shareIn(terms, claims) / Math.sqrt(terms.size),
  )
  return reader
    .figuresOf(sentence)
    .every((figure) => closest.some(({ figures }) => figures.has(figure)))
}

function nearlyBest(
  sentences: readonly Sentence[],
  scoreOf: (sentence: Sentence) => number,
): Sentence[] {
  const enough = NEARLY_BEST * Math.max(...sentences.map(scoreOf))
  return sentences.filter((sentence) => scoreOf(sentence) >= enough)
}

/** Whether the articles deny what the clause states, or state what it denies. */
function isReversed(clause: string, { reader, said, denied }: Passages): boolean {
  const claims = reader.claimsOf(clause)
  if (claims.length < 2) return false
  const [own, opposite] = reader.isNegative(clause) ? [denied, said] : [said, denied]
  return shareIn(own, claims) < SUPPORT.together && shareIn(opposite, claims) > shareIn(own, claims)
}

function shareIn(words: Words, claims: readonly string[]): number {
  return claims.filter((claim) => words.has(claim)).length / claims.length
}

/** Words in capitals, such as 'DONE' from an injected command. */
function capitalsOf(text: string): string[] {
  return text.match(/\b[A-Z]{3,}\b/g) ?? []
}

/** Whether a sentence has URLs, markup or characters that no article uses. */
function isForeign(sentence: string): boolean {
  return (
    /https?:|www\.|\b[\w-]+\.(?:com|org|net|io|app|xyz|example|info|me)\b|[<>[\]{}\\@]/i.test(
      sentence,
    ) || /[^\p{Script=Latin}\P{L}]|(?![0-9])\p{Nd}/u.test(sentence)
  )
}
